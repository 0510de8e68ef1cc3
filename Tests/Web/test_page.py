#!/usr/bin/env python3
"""The page of a world in a real browser. `make test-web` runs it; Tests/Web/README.md says what it needs."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from access_tests import *  # noqa: E402,F403
from connection_tests import *  # noqa: E402,F403
from device_tests import *  # noqa: E402,F403
from example_tests import *  # noqa: E402,F403
from load_tests import *  # noqa: E402,F403
from newcomer_tests import *  # noqa: E402,F403
from picker_tests import *  # noqa: E402,F403
from world_tests import *  # noqa: E402,F403

# Bases without tests of their own would be loaded with the others.
del Crowd, PageTest  # noqa: F821

if __name__ == "__main__":
    unittest.main(verbosity=2)
