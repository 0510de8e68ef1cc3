"""A toy world: devices that walk in circles and range, walls, users, UCI packets. It has hardly any physics."""

import math
import random

KINDS = ["phone", "watch", "accessory"]
MATERIALS = ["body", "brick", "cardboard", "concrete", "drywall", "glass", "metal", "plastic", "wood"]
NAMES = ["ada", "bo", "cy", "di", "eva", "fay"]
ROOMS = [
    ([0, 0], [15, 0], "concrete"), ([15, 0], [15, 8], "glass"), ([15, 8], [0, 8], "concrete"),
    ([0, 8], [0, 0], "glass"), ([5, 0], [5, 5], "drywall"), ([10, 0], [10, 5], "drywall"),
    ([1, 5], [6, 5], "drywall"), ([8, 5], [14, 5], "drywall"), ([6.5, 0.5], [9, 0.5], None),
]


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
    ]


def about(axis, angle):
    half = math.sin(angle / 2)
    return [axis[0] * half, axis[1] * half, axis[2] * half, math.cos(angle / 2)]


def quaternion(heading, pitch, roll):
    """The rotation from the device's frame to the world's, from angles in degrees."""
    turn = about((0, 0, 1), -math.radians(heading))
    lift = about((1, 0, 0), math.radians(90 + pitch))
    return product(product(turn, lift), about((0, 0, -1), math.radians(roll)))


def in_device(q, v):
    x, y, z, w = -q[0], -q[1], -q[2], q[3]
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx]


def crosses(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


class Device:
    def __init__(self, number, name, kind, centre, radius, speed):
        self.id = number
        self.name = name
        self.kind = kind
        self.centre = centre
        self.radius = radius
        self.speed = speed
        self.phase = number * 1.7
        self.p = [centre[0], centre[1], centre[2]]
        self.heading, self.pitch, self.roll = (number * 47) % 360, 0, 0
        self.q = quaternion(self.heading, 0, 0)
        self.is_on = True
        self.foreground = True
        self.permission = "allowed"
        self.camera_permission = "notDetermined"
        self.bluetooth_permission, self.bluetooth = "notDetermined", True
        self.questions = []
        self.standing_answer = "allowed"
        self.light, self.features, self.loss, self.radio = 1000, True, 0.0, True
        self.peers = []

    def move(self, t):
        if self.radius > 0:
            angle = self.phase + t * self.speed / self.radius
            self.p = [
                self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle),
                self.centre[2]]
            self.turn((-math.degrees(angle)) % 360, self.pitch, self.roll)

    def turn(self, heading, pitch, roll):
        self.heading, self.pitch, self.roll = heading, pitch, roll
        self.q = quaternion(heading, pitch, roll)

    @property
    def ranges(self):
        return self.is_on and self.radio and self.foreground and self.permission.startswith("allowed")


class MockWorld:
    def __init__(self, count, seed=1, asks=False):
        self.seed = seed
        self.random = random.Random(seed)
        self.t = 0.0
        self.rate = 1.0
        self.told = {}
        self.events = []
        self.walls = []
        self.next_wall = 0
        self.devices = []
        if count <= len(NAMES):
            self._office(count, asks)
        else:
            self._field(count)

    # Scenes

    def _office(self, count, asks):
        for start, end, material in ROOMS:
            self.add_wall(start, end, 3, material)
        spots = [(2, 2, 1.2), (3.5, 3.5, 0.8), (7, 2.4, 1.2), (12, 1.5, 1.2), (7.5, 6.5, 1.2), (12.5, 3.5, 1)]
        for number in range(count):
            kind = "watch" if number == 5 else "accessory" if number == 3 else "phone"
            radius = {4: 1.1, 5: 0.9}.get(number, 0)
            self.devices.append(Device(number, NAMES[number], kind, spots[number], radius, 0.8))
        for a, b in [(0, 4), (1, 4), (0, 1), (2, 3), (4, 5)]:
            if max(a, b) < count:
                self._pair(a, b)
        if not asks:
            return
        ada = self.devices[0]
        ada.permission, ada.standing_answer, ada.questions = "notDetermined", None, ["nearby"]

    def _field(self, count):
        columns = math.ceil(math.sqrt(count))
        for number in range(count):
            centre = (number % columns * 4.0, number // columns * 4.0, 1.2)
            kind = KINDS[number % 7 // 3]
            self.devices.append(Device(number, f"device-{number}", kind, centre, 1.2, 0.9))
        for number in range(0, count - 1, 2):
            self._pair(number, number + 1)
        for column in range(0, columns, 3):
            self.add_wall([column * 4 + 2, 0], [column * 4 + 2, columns * 3], 3, "brick")

    def _pair(self, a, b):
        self.devices[a].peers.append(b)
        self.devices[b].peers.append(a)

    def add_wall(self, start, end, top, material):
        self.walls.append({
            "id": self.next_wall, "from": start, "to": end, "bottom": 0, "top": top, "material": material})
        self.next_wall += 1

    # Time

    def advance(self, seconds):
        """Advances time. Returns whether a ranging round took place."""
        before = self.t
        self.t += seconds
        for device in self.devices:
            device.move(self.t)
        is_round = math.floor(self.t * 10) != math.floor(before * 10)
        if is_round:
            self._range()
        return is_round

    def _range(self):
        for device in self.devices:
            for number, peer_id in enumerate(device.peers, 1):
                peer = self.devices[peer_id]
                key = (device.id, peer_id)
                if not (device.ranges and peer.ranges) or self.random.random() < device.loss:
                    self.told.pop(key, None)
                    continue
                direct = self.los(device, peer)
                sigma = 0.05 if direct else 0.2
                error = self.random.gauss(0 if direct else 0.35, sigma)
                self.told[key] = (math.dist(device.p, peer.p) + error, sigma)
                self.event(device, number, "didUpdate", f"{peer.name} {self.told[key][0]:.2f} m")

    def los(self, a, b):
        return not any(crosses(a.p, b.p, wall["from"], wall["to"]) for wall in self.walls)

    def event(self, device, session, kind, text=""):
        self.events.append({
            "t": round(self.t, 3), "device": device.id, "session": session, "kind": kind, "text": text})

    # Messages of the server

    def layout(self):
        floors = [{"from": [0, 0], "to": [15, 8], "height": 3}] if len(self.devices) <= len(NAMES) else []
        return {
            "type": "layout",
            "devices": [{
                "id": d.id, "name": d.name, "kind": d.kind, "fieldOfView": 0 if d.kind == "accessory" else 60,
                "hasCamera": d.kind == "phone"} for d in self.devices],
            "beacons": [], "walls": self.walls, "floors": floors}

    def links(self):
        links = []
        for device in self.devices:
            if not device.is_on:
                continue
            for peer_id in device.peers:
                peer = self.devices[peer_id]
                d = math.dist(device.p, peer.p)
                direct = self.los(device, peer)
                told = self.told.get((device.id, peer_id), (None, None))
                links.append({
                    "a": device.id, "b": peer_id, "d": round(d, 3), "los": direct,
                    "rssi": round(-58 - 20 * math.log10(max(d, 0.3)) - (0 if direct else 9), 1),
                    "m": told[0] and round(told[0], 3), "s": told[1]})
        return links

    def state(self):
        people = [[2 + (self.t * 0.9) % 11, 6.3, 90]] if len(self.devices) <= len(NAMES) else []
        return {
            "type": "state", "t": round(self.t, 3), "rate": self.rate,
            "devices": [{
                "id": d.id, "p": [round(v, 3) for v in d.p], "q": [round(v, 5) for v in d.q], "on": d.is_on,
                "fg": d.foreground, **({"asks": d.questions} if d.questions else {})} for d in self.devices],
            "links": self.links(), "people": people}

    def detail(self, device):
        return {
            "type": "device", "id": device.id, "program": f"peer-{device.name}" if device.is_on else None,
            "foreground": device.foreground, "permission": device.permission,
            "cameraPermission": device.camera_permission, "questions": device.questions,
            "bluetoothPermission": device.bluetooth_permission, "bluetooth": device.bluetooth, "display": None,
            "locationPermission": "notDetermined", "locationAlwaysPermission": "notDetermined",
            "standingAnswer": device.standing_answer, "light": device.light, "features": device.features,
            "loss": device.loss, "radio": device.radio,
            "sessions": [self._session(device, number, peer) for number, peer in enumerate(device.peers, 1)]}

    def _session(self, device, number, peer_id):
        peer = self.devices[peer_id]
        offset = [peer.p[axis] - device.p[axis] for axis in range(3)]
        d = math.dist(device.p, peer.p)
        local = [v / max(d, 1e-6) for v in in_device(device.q, offset)]
        azimuth = math.degrees(math.atan2(local[0], -local[2]))
        elevation = math.degrees(math.atan2(local[1], math.hypot(local[0], local[2])))
        told = self.told.get((device.id, peer_id))
        is_seen = told and abs(azimuth) < 60 and abs(elevation) < 60 and device.kind == "phone"
        is_placed = told and device.features and device.light > 100 and self.los(device, peer)
        phase = "running" if device.ranges else "suspended" if not device.foreground else "idle"
        rise = offset[2]
        hypotheses = []
        if told:
            spread = 0.25 if is_placed else 0.9
            hypotheses = [{
                "p": [peer.p[0] + 0.15, peer.p[1] - 0.1, peer.p[2]], "weight": 0.8 if is_placed else 0.6,
                "ellipse": [spread, spread / 2.5, (math.degrees(math.atan2(offset[0], offset[1])) + 90) % 360]}]
            if not is_placed:
                hypotheses.append({
                    "p": [device.p[0] - offset[0], device.p[1] - offset[1], peer.p[2]], "weight": 0.4,
                    "ellipse": [0.9, 0.4, 30]})
        return {
            "number": number, "phase": phase, "peer": peer_id, "distance": told and round(told[0], 3),
            "distanceSigma": told and told[1], "direction": local if is_seen else None,
            "directionSigma": 5.0 if is_seen else None, "horizontalAngle": round(azimuth, 1) if is_placed else None,
            "vertical": ("same" if abs(rise) < 0.3 else "above" if rise > 0 else "below") if is_placed else "unknown",
            "reasons": None if not told else [] if is_placed else ["insufficientMovement", "insufficientLighting"],
            "place": [peer.p[0] + 0.15, peer.p[1] - 0.1, peer.p[2]] if is_placed else None,
            "hypotheses": hypotheses,
            "truth": {
                "distance": round(d, 3), "direction": local, "azimuth": round(azimuth, 1),
                "elevation": round(elevation, 1), "los": self.los(device, peer), "rssi": -70.0}}

    def packets(self, device):
        """One round of each session, as a chip would report it."""
        packets = []
        for number, peer_id in enumerate(device.peers, 1):
            told = self.told.get((device.id, peer_id))
            status = 0 if told else 0x21
            centimetres = round(told[0] * 100) if told else 0xFFFF
            body = bytes([number, 0, 0, 0]) + bytes(20) + bytes([1, peer_id & 0xFF, 0, status])
            body += max(0, min(0xFFFF, centimetres)).to_bytes(2, "little") + bytes(20)
            text = f"session {number} status {'OK' if told else 'RX_TIMEOUT'} distance {centimetres} cm"
            packets.append({
                "t": round(self.t, 6), "host": False, "hex": (bytes([0x62, 0, 0, len(body)]) + body).hex(),
                "name": "SESSION_INFO_NTF", "text": text})
        if math.floor(self.t * 10) % 20 == 0:
            packets.append({
                "t": round(self.t, 6), "host": True, "hex": "2203000401000000", "name": "SESSION_GET_RANGING_COUNT_CMD",
                "text": "session 1"})
            packets.append({
                "t": round(self.t + 0.0004, 6), "host": False, "hex": "420300050064000000",
                "name": "SESSION_GET_RANGING_COUNT_RSP", "text": "OK count 100"})
        return packets

    def scenario(self):
        lines = ",\n".join(
            f'    {{ name: "{d.name}", motion: {{ stand: [{d.p[0]:.3f}, {d.p[1]:.3f}, {d.p[2]:.3f}] }} }}'
            for d in self.devices)
        return f"{{\n  seed: {self.seed},\n  devices: [\n{lines}\n  ],\n}}\n"

    # Orders of the page

    def order(self, order):
        """Executes an order. Returns whether the layout changed; raises ValueError with the reason if it can't."""
        name = order.get("do")
        if name == "addWall":
            if order["material"] not in MATERIALS:
                raise ValueError(f"no material {order['material']}")
            self.add_wall(order["from"], order["to"], order["top"], order["material"])
            return True
        if name == "removeWall":
            self.walls = [wall for wall in self.walls if wall["id"] != order["id"]]
            return True
        if name == "addDevice":
            if any(device.name == order["name"] for device in self.devices):
                raise ValueError(f"there is a device {order['name']} already")
            self.devices.append(Device(len(self.devices), order["name"], order["kind"], order["p"], 0, 0))
            self.devices[-1].is_on = False
            return True
        if name == "rate":
            self.rate = max(0.0, min(100.0, float(order["value"])))
            return False
        if name == "step":
            for _ in range(round(min(60, order["seconds"]) * 20)):
                self.advance(0.05)
            return False
        if not 0 <= order.get("device", -1) < len(self.devices):
            raise ValueError(f"no device {order.get('device')}")
        self._device_order(self.devices[order["device"]], name, order)
        return False

    def _device_order(self, device, name, order):
        if name == "place":
            device.radius = 0
            device.p = [float(v) for v in order["p"]]
        elif name == "turn":
            device.radius = 0
            device.turn(order["heading"], order["pitch"], order["roll"])
        elif name == "foreground":
            self._foreground(device, order["value"])
        elif name == "answer":
            self._answer(device, order["question"], order["value"])
        elif name == "pick":
            pass  # Its devices have no pickers; the real server ignores a reply to none, too.
        elif name == "standingAnswer":
            device.standing_answer = order["value"]
        elif name in ("light", "features", "loss", "radio", "bluetooth"):
            setattr(device, name, order["value"])
        else:
            raise ValueError(f"no order {name}")

    def _foreground(self, device, value):
        if value == device.foreground:
            return
        device.foreground = value
        for number in range(1, len(device.peers) + 1):
            self.event(device, number, "sessionSuspensionEnded" if value else "sessionWasSuspended")
            if value:
                # Its app runs the session again.
                self.event(device, number, "run")

    def _answer(self, device, question, value):
        if question in device.questions:
            device.questions.remove(question)
        if question in ("bluetooth", "location", "locationAlways"):
            if question == "bluetooth":
                device.bluetooth_permission = value
            return
        if question == "camera":
            device.camera_permission = value
            return
        device.permission = value
        for number in range(1, len(device.peers) + 1):
            if value.startswith("allowed"):
                self.event(device, number, "sessionDidStartRunning")
            else:
                self.event(device, number, "didInvalidate", "userDidNotAllow")
