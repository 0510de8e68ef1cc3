// Generated from this package's sources: NEARBY_UPDATE_TABLES=1 swift test --filter CheckTests

/// What this package's modules declare in public.
enum FacadeNames {
  static let modules: [ModuleNames] = [
    ModuleNames(
      "ARKit",
      free: """
        ARAnchor ARCamera ARConfiguration ARError ARErrorDomain ARFrame ARLightEstimate ARPointCloud \
        ARSession ARSessionDelegate ARSessionObserver ARTrackable ARWorldMap ARWorldTrackingConfiguration
        """,
      members: """
        Code CollaborationData EnvironmentTexturing FrameSemantics PlaneDetection Priority Reason \
        RunOptions SceneReconstruction TrackingState WorldAlignment WorldMappingStatus add \
        ambientColorTemperature ambientIntensity anchors automatic camera cameraUnauthorized center code \
        configuration copy count critical currentFrame delegate delegateQueue encode environmentTexturing \
        errorCode errorDomain errorUserInfo eulerAngles excessiveMotion extending extent fileIOFailed \
        frameSemantics geoTrackingFailed geoTrackingNotAvailableAtLocation getCurrentWorldMap gravity \
        gravityAndHeading highResolutionFrameCaptureFailed highResolutionFrameCaptureInProgress horizontal \
        identifier identifiers imageResolution initialWorldMap initializing insufficientFeatures intrinsics \
        invalidCollaborationData invalidConfiguration invalidReferenceImage invalidReferenceObject \
        invalidWorldMap isAutoFocusEnabled isCollaborationEnabled isLightEstimationEnabled isSupported \
        isTracked lightEstimate limited localizedDescription locationUnauthorized manual mapped mesh \
        meshWithClassification microphoneUnauthorized name none normal notAvailable objectMergeFailed \
        optional pause planeDetection points priority projectionMatrix providesAudioData rawFeaturePoints \
        rawValue relocalizing remove removeExistingAnchors requestFailed resetSceneReconstruction \
        resetTracking run sceneReconstruction sensorFailed sensorUnavailable session sessionIdentifier \
        sessionInterruptionEnded sessionShouldAttemptRelocalization sessionWasInterrupted setWorldOrigin \
        stopTrackedRaycasts supportsFrameSemantics supportsSceneReconstruction supportsSecureCoding \
        supportsUserFaceTracking timestamp trackingState transform unsupportedConfiguration update \
        userFaceTrackingEnabled vertical worldAlignment worldMappingStatus worldTrackingFailed
        """,
      exports: ["NearbyFoundation", "NearbySafeArchives", "UIKit", "simd"]),
    ModuleNames(
      "NearbyFoundation",
      free: """
        CACurrentMediaTime CFAbsoluteTime CFAbsoluteTimeGetCurrent CFAllocator CFString CFTimeInterval \
        CFUUID CFUUIDCreate CFUUIDCreateString CollisionSafeFileManager autoreleasepool objc_sync_enter \
        objc_sync_exit
        """,
      members: """
        Element Failure Iterator NSProcessInfoPowerStateDidChange Notifications ThermalState critical \
        default fair isLowPowerModeEnabled makeAsyncIterator moveItem next nominal notifications serious \
        thermalState thermalStateDidChangeNotification
        """,
      exports: ["Dispatch", "Foundation", "Observation"]),
    ModuleNames(
      "Combine",
      free: """
        AnyCancellable AnyPublisher AnySubscriber AsyncPublisher AsyncThrowingPublisher Cancellable \
        CombineIdentifier ConnectablePublisher CurrentValueSubject CustomCombineIdentifierConvertible \
        DateTime Deferred Empty Fail Future ImmediateScheduler Just ObservableObject \
        ObservableObjectPublisher OperatorPublisher PassthroughSubject Published Publisher Publishers \
        Record Scheduler SchedulerTimeIntervalConvertible SecondsStride Subject Subscriber Subscribers \
        Subscription Subscriptions TopLevelDecoder TopLevelEncoder
        """,
      members: """
        Assign Autoconnect BufferingStrategy CombineLatest CombineLatest3 CombineLatest4 CompactMap \
        Completion Demand Element Failure Filter HandleEvents Input Iterator Joined Linked Map MapError \
        Merge Merge3 Merge4 MergeMany Multicast ObjectWillChangePublisher Output PrefetchStrategy Promise \
        Publisher Recording RemoveDuplicates Same Scan SchedulerOptions SchedulerTimeType Sequence \
        SetFailureType Sink Stride TimeGroupingStrategy Timed TimerPublisher TryMap Trying Upstream Zip \
        Zip3 advanced allSatisfy append assertNoFailure assign autoconnect breakpoint breakpointOnError \
        buffer byRequest byTime byTimeOrCount cancel catch center collect combineIdentifier combineLatest \
        compactMap completeImmediately completion connect contains count createPublisher customError date \
        debounce decode delay description dispatchTime distance drop dropFirst dropNewest dropOldest empty \
        encode eraseToAnyPublisher error failure filter finished first flags flatMap group handleEvents \
        hash ignoreOutput initialResult interval isIncluded keepFull keyPath last magnitude \
        makeAsyncIterator makeConnectable map mapError max measureInterval merge microseconds milliseconds \
        min minimumTolerance mode multicast name nanoseconds next nextPartialResult none now object \
        objectWillChange output predicate prefix prepend print projectedValue publish publisher qos receive \
        receiveCancel receiveCompletion receiveOutput receiveRequest receiveSubscription receiveValue \
        recording reduce removeDuplicates replaceEmpty replaceError replaceNil request result retry runLoop \
        scan schedule seconds send sequence setFailureType share shared sink store subscribe switchToLatest \
        throttle timeInterval timeout tolerance transform tryAllSatisfy tryCatch tryCompactMap tryContains \
        tryDrop tryFilter tryFirst tryLast tryMap tryPrefix tryReduce tryRemoveDuplicates tryScan unlimited \
        upstream value values wrappedValue zip
        """,
      exports: ["NearbyFoundation"]),
    ModuleNames(
      "CoreBluetooth",
      free: """
        CBATTError CBATTErrorDomain CBATTRequest CBAdvertisementDataIsConnectable \
        CBAdvertisementDataLocalNameKey CBAdvertisementDataManufacturerDataKey \
        CBAdvertisementDataOverflowServiceUUIDsKey CBAdvertisementDataServiceDataKey \
        CBAdvertisementDataServiceUUIDsKey CBAdvertisementDataSolicitedServiceUUIDsKey \
        CBAdvertisementDataTxPowerLevelKey CBAttribute CBAttributePermissions CBCentral CBCentralManager \
        CBCentralManagerDelegate CBCentralManagerOptionRestoreIdentifierKey \
        CBCentralManagerOptionShowPowerAlertKey CBCentralManagerRestoredStatePeripheralsKey \
        CBCentralManagerRestoredStateScanOptionsKey CBCentralManagerRestoredStateScanServicesKey \
        CBCentralManagerScanOptionAllowDuplicatesKey CBCentralManagerScanOptionSolicitedServiceUUIDsKey \
        CBCentralManagerState CBCharacteristic CBCharacteristicProperties CBCharacteristicWriteType \
        CBConnectPeripheralOptionEnableAutoReconnect CBConnectPeripheralOptionEnableTransportBridgingKey \
        CBConnectPeripheralOptionNotifyOnConnectionKey CBConnectPeripheralOptionNotifyOnDisconnectionKey \
        CBConnectPeripheralOptionNotifyOnNotificationKey CBConnectPeripheralOptionRequiresANCS \
        CBConnectPeripheralOptionStartDelayKey CBConnectionEvent CBConnectionEventMatchingOption \
        CBDescriptor CBError CBErrorDomain CBL2CAPChannel CBL2CAPPSM CBManager CBManagerAuthorization \
        CBManagerState CBMutableCharacteristic CBMutableDescriptor CBMutableService CBPeer CBPeripheral \
        CBPeripheralDelegate CBPeripheralManager CBPeripheralManagerConnectionLatency \
        CBPeripheralManagerDelegate CBPeripheralManagerOptionRestoreIdentifierKey \
        CBPeripheralManagerOptionShowPowerAlertKey CBPeripheralManagerRestoredStateAdvertisementDataKey \
        CBPeripheralManagerRestoredStateServicesKey CBPeripheralManagerState CBPeripheralState CBService \
        CBUUID CBUUIDCharacteristicAggregateFormatString CBUUIDCharacteristicExtendedPropertiesString \
        CBUUIDCharacteristicFormatString CBUUIDCharacteristicUserDescriptionString \
        CBUUIDClientCharacteristicConfigurationString CBUUIDServerCharacteristicConfigurationString \
        CFAbsoluteTime
        """,
      members: """
        Code Feature add allowedAlways alreadyAdvertising ancsAuthorized attributeNotFound attributeNotLong \
        authenticatedSignedWrites authorization broadcast canSendWriteWithoutResponse \
        cancelPeripheralConnection central centralManager centralManagerDidUpdateState characteristic \
        characteristics code connect connected connecting connectionFailed connectionLimitReached \
        connectionTimeout copy data delegate denied description descriptors disconnected disconnecting \
        discoverCharacteristics discoverDescriptors discoverIncludedServices discoverServices \
        encryptionTimedOut errorCode errorDomain errorUserInfo extendedProperties extendedScanAndConnect \
        hash high identifier includedServices indicate indicateEncryptionRequired inputStream \
        insufficientAuthentication insufficientAuthorization insufficientEncryption \
        insufficientEncryptionKeySize insufficientResources invalidAttributeValueLength invalidHandle \
        invalidOffset invalidParameters invalidPdu isAdvertising isEqual isNotifying isPrimary isScanning \
        leGattExceededBackgroundNotificationLimit leGattNearBackgroundNotificationLimit \
        localizedDescription low maximumUpdateValueLength maximumWriteValueLength medium name notConnected \
        notDetermined notify notifyEncryptionRequired offset openL2CAPChannel operationCancelled \
        operationNotSupported outOfSpace outputStream peer peerConnected peerDisconnected \
        peerRemovedPairingInformation peripheral peripheralDidUpdateName peripheralDisconnected \
        peripheralIsReady peripheralManager peripheralManagerDidStartAdvertising \
        peripheralManagerDidUpdateState peripheralManagerIsReady peripheralUUIDs permissions poweredOff \
        poweredOn prepareQueueFull properties psm publishL2CAPChannel rawValue read readEncryptionRequired \
        readNotPermitted readRSSI readValue readable registerForConnectionEvents remove removeAllServices \
        requestNotSupported resetting respond restricted retrieveConnectedPeripherals retrievePeripherals \
        scanForPeripherals service serviceUUIDs services setDesiredConnectionLatency setNotifyValue \
        startAdvertising state stopAdvertising stopScan subscribedCentrals success supports \
        tooManyLEPairedDevices unauthorized unknown unknownDevice unkownDevice unlikelyError \
        unpublishL2CAPChannel unsupported unsupportedGroupType updateValue uuid uuidNotAllowed uuidString \
        value withResponse withoutResponse write writeEncryptionRequired writeNotPermitted writeValue \
        writeWithoutResponse writeable
        """,
      exports: ["Combine", "NearbyFoundation"]),
    ModuleNames(
      "CoreGraphics",
      free: """
        CGVector
        """,
      members: """
        dx dy zero
        """,
      exports: ["NearbyFoundation"]),
    ModuleNames(
      "CoreLocation",
      free: """
        CLAccuracyAuthorization CLActivityType CLAuthorizationStatus CLBackgroundActivitySession CLBeacon \
        CLBeaconIdentityConstraint CLBeaconMajorValue CLBeaconMinorValue CLBeaconRegion CLCircularRegion \
        CLCondition CLDeviceOrientation CLError CLFloor CLGeocoder CLHeading CLLocation CLLocationAccuracy \
        CLLocationCoordinate2D CLLocationCoordinate2DIsValid CLLocationCoordinate2DMake CLLocationDegrees \
        CLLocationDirection CLLocationDirectionAccuracy CLLocationDistance CLLocationDistanceMax \
        CLLocationManager CLLocationManagerDelegate CLLocationSpeed CLLocationSpeedAccuracy \
        CLLocationUpdate CLMonitor CLPlacemark CLProximity CLRegion CLRegionState CLServiceSession CLVisit \
        kCLDistanceFilterNone kCLErrorDomain kCLHeadingFilterNone kCLLocationAccuracyBest \
        kCLLocationAccuracyBestForNavigation kCLLocationAccuracyHundredMeters kCLLocationAccuracyKilometer \
        kCLLocationAccuracyNearestTenMeters kCLLocationAccuracyReduced kCLLocationAccuracyThreeKilometers \
        kCLLocationCoordinate2DInvalid
        """,
      members: """
        AsyncIterator AuthorizationRequirement BeaconIdentityCondition CircularGeographicCondition Code \
        CompletionHandler Element Event Events Iterator LiveConfiguration Record State Updates accuracy \
        accuracyAuthorization accuracyLimited activityType add administrativeArea airborne \
        allowsBackgroundLocationUpdates alternateRegion altitude always areasOfInterest arrivalDate \
        authorizationDenied authorizationDeniedGlobally authorizationRequestInProgress \
        authorizationRestricted authorizationStatus authorized authorizedAlways authorizedWhenInUse \
        automotiveNavigation beaconIdentityConstraint cancelGeocode center code condition \
        conditionLimitExceeded conditionUnsupported contains coordinate copy country course courseAccuracy \
        date default deferredAccuracyTooLow deferredCanceled deferredDistanceFiltered deferredFailed \
        deferredLocationUpdatesAvailable deferredNotUpdatingLocation delegate denied departureDate \
        description desiredAccuracy dismissHeadingCalibrationDisplay distance distanceFilter \
        ellipsoidalAltitude encode errorCode errorDomain errorUserInfo events faceDown faceUp far fitness \
        floor fullAccuracy geocodeAddressString geocodeCanceled geocodeFoundNoResult \
        geocodeFoundPartialResult hash heading headingAccuracy headingAvailable headingFailure \
        headingFilter headingOrientation historicalLocationError horizontalAccuracy identifier identifiers \
        immediate inlandWater inside insufficientlyInUse invalidate isEqual isGeocoding \
        isMonitoringAvailable isRangingAvailable isStationary isoCountryCode landscapeLeft landscapeRight \
        lastEvent latitude level liveUpdates locality localizedDescription location locationManager \
        locationManagerDidChangeAuthorization locationServicesEnabled locationUnavailable locationUnknown \
        longitude magneticHeading major makeAsyncIterator maximumRegionMonitoringDistance minor \
        monitoredRegions name near network next none notDetermined notifyEntryStateOnDisplay notifyOnEntry \
        notifyOnExit ocean other otherNavigation outside pausesLocationUpdatesAutomatically peripheralData \
        persistenceUnavailable portrait portraitUpsideDown postalCode promptDeclined proximity \
        proximityUUID radius rangedBeaconConstraints rangedRegions rangingFailure rangingUnavailable record \
        reducedAccuracy refinement region regionMonitoringDenied regionMonitoringFailure \
        regionMonitoringResponseDelayed regionMonitoringSetupDelayed remove requestAlwaysAuthorization \
        requestLocation requestState requestTemporaryFullAccuracyAuthorization \
        requestWhenInUseAuthorization restricted reverseGeocodeLocation rssi satisfied \
        serviceSessionRequired showsBackgroundLocationIndicator \
        significantLocationChangeMonitoringAvailable speed speedAccuracy startMonitoring \
        startMonitoringSignificantLocationChanges startMonitoringVisits startRangingBeacons \
        startUpdatingHeading startUpdatingLocation state stationary stopMonitoring \
        stopMonitoringSignificantLocationChanges stopMonitoringVisits stopRangingBeacons \
        stopUpdatingHeading stopUpdatingLocation subAdministrativeArea subLocality subThoroughfare \
        supportsSecureCoding thoroughfare timeZone timestamp trueHeading unknown unmonitored unsatisfied \
        uuid verticalAccuracy whenInUse
        """,
      exports: ["Combine", "NearbyFoundation", "NearbySafeArchives"]),
    ModuleNames(
      "MultipeerConnectivity",
      free: """
        MCAdvertiserAssistant MCAdvertiserAssistantDelegate MCBrowserViewController \
        MCBrowserViewControllerDelegate MCEncryptionPreference MCError MCErrorDomain \
        MCNearbyServiceAdvertiser MCNearbyServiceAdvertiserDelegate MCNearbyServiceBrowser \
        MCNearbyServiceBrowserDelegate MCPeerID MCSecurityIdentity MCSession MCSessionDelegate \
        MCSessionSendDataMode MCSessionState kMCSessionMaximumNumberOfPeers kMCSessionMinimumNumberOfPeers
        """,
      members: """
        Code Event Invitation Presenter ReceivedFile accept advertiser \
        advertiserAssistantDidDismissInvitation advertiserAssistantWillPresentInvitation browser \
        browserViewController browserViewControllerDidFinish browserViewControllerWasCancelled cancel \
        cancelConnectPeer cancelled certificates choose code connectPeer connected connectedPeers \
        connecting context copy decline delegate description didNotStart disconnect discoveryInfo \
        displayName encode encryptionPreference errorCode errorDomain errorUserInfo events finish found \
        hash invalidParameter invitations invitePeer invited isEqual localizedDescription lost \
        maximumNumberOfPeers minimumNumberOfPeers myPeerID nearbyConnectionData nearbyPeers none \
        notConnected optional peer presenter received reliable required resourceFailed resourceReceived \
        resourceStarted securityIdentity send sendResource serviceType session start startAdvertisingPeer \
        startBrowsingForPeers startStream stateChanged stop stopAdvertisingPeer stopBrowsingForPeers \
        streamReceived supportsSecureCoding timedOut unavailable unknown unreliable unsupported url \
        viewDidAppear viewDidDisappear
        """,
      exports: ["Combine", "NearbyFoundation", "NearbySafeArchives", "UIKit"]),
    ModuleNames(
      "NearbyAccessory",
      free: """
        Accessory AccessoryLink AccessoryPhone AccessoryProfile AccessoryReading
        """,
      members: """
        Access Channel Event Refusal Role StopReason UpdateRate Version acceptsPairing access address \
        addressInUse authorize automatic bluetoothUnavailable byChip byPhone byProgram channel chipRefused \
        chipUnsuitable connect connected description direction disconnect disconnected distance events \
        everyone identifier inBand infrequent initiator isAuthorized linkTooNarrow listed malformed \
        manufacturer measured model name nordicUART notAuthorized notForAccessories notInitialised \
        notRunning onEvent paired phone phoneLimit profile program qorvo readings ready received refused \
        responder role sessionInUse setAcceptsPairing sigma silence silenceLimit start started stop \
        stopRanging stopped time tooManyMessages tooManyPhones tooManySessions unavailable unknownPhone \
        updateRate userInteractive v1_0 v1_1 v2_0 version versionMismatch
        """,
      exports: []),
    ModuleNames(
      "NearbyInteraction",
      free: """
        NIAlgorithmConvergence NIAlgorithmConvergenceStatus NIConfiguration NIDLTDOAConfiguration \
        NIDLTDOACoordinatesType NIDLTDOAMeasurement NIDLTDOAMeasurementType NIDeviceCapability \
        NIDiscoveryToken NIError NIErrorDomain NIMotionActivityState NINearbyAccessoryConfiguration \
        NINearbyObject NINearbyPeerConfiguration NISession NISessionDelegate
        """,
      members: """
        Code DiscoveryMethod Event FloorElevation Reason RemovalReason VerticalDirectionEstimate above \
        aboveOrBelow accessoryDiscoveryToken accessoryPeerDeviceUnavailable \
        activeExtendedDistanceSessionsLimitExceeded activeSessionsLimitExceeded address below \
        bluetoothLowEnergy carrierFrequencyOffset clusterInitiatorAddress code configuration converged \
        convergenceUpdated coordinates coordinatesType copy delegate delegateQueue description \
        deviceCapabilities direction discoveryMethod discoveryToken distance encode errorCode errorDomain \
        errorUserInfo events final floorElevation floorNumber geodetic hash height horizontalAngle \
        incompatiblePeerDevice insufficientHorizontalSweep insufficientLighting insufficientMovement \
        insufficientSignalStrength insufficientVerticalSweep invalidARConfiguration invalidConfiguration \
        invalidate invalidated isCameraAssistanceEnabled isEqual isExtendedDistanceMeasurementEnabled \
        isSupported localizedDescription measurementType moving nearbyObjects networkIdentifier \
        notConverged pause peerDiscoveryToken peerEnded poll rawReceiveTime rawTransmitTime rawValue \
        receiveTime relative removed resourceUsageTimeout responderClockFrequencyOffset response run same \
        session sessionDidStartRunning sessionFailed sessionSuspensionEnded sessionWasSuspended \
        setARSession shareableConfigurationGenerated signalStrength startedRunning stationary status \
        supportsBluetoothChannelSounding supportsCameraAssistance supportsDLTDOAMeasurement \
        supportsDirectionMeasurement supportsExtendedDistanceMeasurement supportsPreciseDistanceMeasurement \
        supportsSecureCoding suspended suspensionEnded timeout transmitTime unknown unsupportedPlatform \
        updateMotionState updated userDidNotAllow verticalDirectionEstimate wifi worldTransform
        """,
      exports: ["Combine", "NearbyFoundation", "NearbySafeArchives", "simd"]),
    ModuleNames(
      "NearbyPeers",
      free: """
        NearbyPeer NearbyPermission PeerFinder
        """,
      members: """
        Settings State Status allowed azimuth current currentPeers denied direction distance elevation \
        failed horizontalAngle id identity isCameraAssistanceEnabled isFinal isPointedAt keepsLostPeers \
        lost maximumPeers meeting name noNetwork notDetermined onChange peers ranging refused searching \
        serviceType start state status stop stopped suspended unsupported verticalDirectionEstimate
        """,
      exports: ["MultipeerConnectivity", "NearbyInteraction"]),
    ModuleNames(
      "NearbyTesting",
      free: """
        BeaconHandle InvitationAnswer LocationAccess PermissionAnswer Phone PhoneProfile Truth WallHandle \
        WallMaterial World
        """,
      members: """
        accept accessory accessoryStartWindow addAccessory addBeacon addPhone addWall advance allow \
        allowOnce always answer answerBluetooth answerCamera answerInvitation answerLocation ask at \
        authorization backgroundLimit breakConnections brick cardboard changeBluetoothPermission \
        changeCameraPermission changeLocalNetworkPermission changeLocationAccess changePermission \
        chipSessionCount concrete cutBluetooth decline deny direction distance drywall face forgetBluetooth \
        glass hasCameraTracking hasUltraWideband heal isLineOfSight joinNetwork launch leaveNetwork \
        leaveRange loseBluetoothPackets loseFrames losePackets loseTracking material measuresDirection \
        metal name never now partition peerTimeout permission place plastic position \
        rangingIntervalMilliseconds regainTracking relaunch remove restricted resume sessionLimit \
        setAcceptsPairing setAnswer setBackgroundModes setBluetoothAnswer setBluetoothBackgroundModes \
        setBluetoothConnectionLimit setBluetoothUsageDescription setBonjourServices setCameraAnswer \
        setCameraUsageDescription setInvitationAnswer setLight setLocationAnswer setLocationServices \
        setLocationUsageDescriptions setNetworkLatency setNetworkLoss setPreciseLocation \
        setUsageDescription supportsExtendedDistance suspend switchBluetoothOff switchBluetoothOn switchOff \
        switchOn truth turn walk watch whenInUse withoutUltraWideband wood
        """,
      exports: []),
    ModuleNames(
      "OSLog",
      free: """

        """,
      members: """

        """,
      exports: ["os"]),
    ModuleNames(
      "NearbySafeArchives",
      free: """

        """,
      members: """
        archivedData decodeObject decodeTopLevelObject unarchivedArrayOfObjects unarchivedDictionary \
        unarchivedObject
        """,
      exports: ["Foundation"]),
    ModuleNames(
      "SwiftUI",
      free: """

        """,
      members: """

        """,
      exports: ["Combine", "NearbyFoundation", "UIKit"]),
    ModuleNames(
      "UIKit",
      free: """
        UIApplication UIApplicationDelegate UIBackgroundRefreshStatus UIBackgroundTaskIdentifier UIDevice \
        UIDeviceOrientation UIFeedbackGenerator UIImpactFeedbackGenerator UINotificationFeedbackGenerator \
        UIPasteboard UIResponder UISelectionFeedbackGenerator UIUserInterfaceIdiom UIViewController
        """,
      members: """
        BatteryState FeedbackStyle FeedbackType OpenExternalURLOptionsKey State active \
        applicationIconBadgeNumber applicationState available background backgroundRefreshStatus \
        backgroundTimeRemaining batteryLevel batteryLevelDidChangeNotification batteryState \
        batteryStateDidChangeNotification beginBackgroundTask beginGeneratingDeviceOrientationNotifications \
        canOpenURL carPlay charging current delegate denied didBecomeActiveNotification \
        didEnterBackgroundNotification didFinishLaunchingNotification didReceiveMemoryWarningNotification \
        dismiss endBackgroundTask endGeneratingDeviceOrientationNotifications error faceDown faceUp full \
        general hasStrings heavy identifierForVendor impactOccurred inactive invalid \
        isBatteryMonitoringEnabled isFlat isGeneratingDeviceOrientationNotifications isIdleTimerDisabled \
        isLandscape isMultitaskingSupported isPortrait isProtectedDataAvailable \
        isProximityMonitoringEnabled isRegisteredForRemoteNotifications isValidInterfaceOrientation \
        landscapeLeft landscapeRight light localizedModel mac medium model name notificationOccurred open \
        openSettingsURLString orientation orientationDidChangeNotification pad phone portrait \
        portraitUpsideDown prepare present presentedViewController presentingViewController proximityState \
        proximityStateDidChangeNotification rawValue registerForRemoteNotifications restricted rigid \
        selectionChanged shared soft string strings success systemName systemVersion title tv \
        universalLinksOnly unknown unplugged unregisterForRemoteNotifications unspecified \
        userInterfaceIdiom viewDidAppear viewDidDisappear vision warning willEnterForegroundNotification \
        willResignActiveNotification willTerminateNotification
        """,
      exports: ["CoreGraphics"]),
    ModuleNames(
      "UserNotifications",
      free: """
        UNAlertStyle UNAuthorizationOptions UNAuthorizationStatus UNCalendarNotificationTrigger \
        UNLocationNotificationTrigger UNMutableNotificationContent UNNotification UNNotificationAction \
        UNNotificationActionOptions UNNotificationCategory UNNotificationCategoryOptions \
        UNNotificationContent UNNotificationDefaultActionIdentifier UNNotificationDismissActionIdentifier \
        UNNotificationInterruptionLevel UNNotificationPresentationOptions UNNotificationRequest \
        UNNotificationResponse UNNotificationSetting UNNotificationSettings UNNotificationSound \
        UNNotificationSoundName UNNotificationTrigger UNPushNotificationTrigger \
        UNTimeIntervalNotificationTrigger UNUserNotificationCenter UNUserNotificationCenterDelegate
        """,
      members: """
        actionIdentifier actions active add alert alertSetting alertStyle allowInCarPlay announcement \
        authenticationRequired authorizationStatus authorized badge badgeSetting banner body carPlay \
        carPlaySetting categoryIdentifier content copy critical criticalAlert criticalAlertSetting current \
        customDismissAction date dateComponents default defaultCritical defaultRingtone delegate \
        deliveredNotifications denied destructive disabled enabled ephemeral foreground \
        getDeliveredNotifications getNotificationCategories getNotificationSettings \
        getPendingNotificationRequests hash hiddenPreviewsShowSubtitle hiddenPreviewsShowTitle identifier \
        intentIdentifiers interruptionLevel isEqual list lockScreenSetting mutableCopy nextTriggerDate none \
        notDetermined notSupported notification notificationCategories notificationCenterSetting \
        notificationSettings options passive pendingNotificationRequests providesAppNotificationSettings \
        provisional rawValue region relevanceScore removeAllDeliveredNotifications \
        removeAllPendingNotificationRequests removeDeliveredNotifications removePendingNotificationRequests \
        repeats request requestAuthorization setBadgeCount setNotificationCategories sound soundSetting \
        subtitle supportsContentExtensions targetContentIdentifier threadIdentifier timeInterval \
        timeSensitive timeSensitiveSetting title trigger userInfo userNotificationCenter
        """,
      exports: ["NearbyFoundation"]),
    ModuleNames(
      "os",
      free: """
        Logger OSAllocatedUnfairLock OSLog OSLogFloatFormatting OSLogIntegerFormatting OSLogInterpolation \
        OSLogMessage OSLogPrivacy OSLogStringAlignment OSLogType OSSignpostID OSSignpostIntervalState \
        OSSignpostType OSSignposter os_log os_signpost os_unfair_lock os_unfair_lock_lock os_unfair_lock_s \
        os_unfair_lock_t os_unfair_lock_trylock os_unfair_lock_unlock
        """,
      members: """
        Category Mask appendInterpolation appendLiteral auto begin beginInterval critical debug decimal \
        default disabled dynamicStackTracing dynamicTracing emitEvent end endInterval error event exclusive \
        fault fixed hash hex hidden hybrid info invalid isEnabled left lock lockIfAvailable log \
        makeSignpostID none notice null octal pointsOfInterest private public rawValue right sensitive \
        signpostsEnabled trace unlock warning withIntervalSignpost withLock withLockIfAvailable \
        withLockIfAvailableUnchecked withLockUnchecked
        """,
      exports: ["NearbyFoundation"]),
    ModuleNames(
      "simd",
      free: """
        abs acos asin atan atan2 ceil clamp cos cross distance distance_squared dot double2 double2x2 \
        double2x3 double2x4 double3 double3x2 double3x3 double3x4 double4 double4x2 double4x3 double4x4 exp \
        float2 float2x2 float2x3 float2x4 float3 float3x2 float3x3 float3x4 float4 float4x2 float4x3 \
        float4x4 floor fract int2 int3 int4 length length_squared log matrix_double2x2 matrix_double2x3 \
        matrix_double2x4 matrix_double3x2 matrix_double3x3 matrix_double3x4 matrix_double4x2 \
        matrix_double4x3 matrix_double4x4 matrix_float2x2 matrix_float2x3 matrix_float2x4 matrix_float3x2 \
        matrix_float3x3 matrix_float3x4 matrix_float4x2 matrix_float4x3 matrix_float4x4 \
        matrix_identity_double2x2 matrix_identity_double3x3 matrix_identity_double4x4 \
        matrix_identity_float2x2 matrix_identity_float3x3 matrix_identity_float4x4 matrix_multiply max min \
        mix norm_inf norm_one normalize pow project recip reduce_add reduce_max reduce_min reflect refract \
        rsqrt sign simd_abs simd_act simd_add simd_almost_equal_elements \
        simd_almost_equal_elements_relative simd_angle simd_axis simd_char16 simd_char2 simd_char3 \
        simd_char4 simd_char8 simd_clamp simd_conjugate simd_cross simd_determinant simd_diagonal_matrix \
        simd_distance simd_distance_squared simd_dot simd_double2 simd_double2x2 simd_double2x3 \
        simd_double2x4 simd_double3 simd_double3x2 simd_double3x3 simd_double3x4 simd_double4 \
        simd_double4x2 simd_double4x3 simd_double4x4 simd_double8 simd_equal simd_float16 simd_float2 \
        simd_float2x2 simd_float2x3 simd_float2x4 simd_float3 simd_float3x2 simd_float3x3 simd_float3x4 \
        simd_float4 simd_float4x2 simd_float4x3 simd_float4x4 simd_float8 simd_fract simd_imag simd_int16 \
        simd_int2 simd_int3 simd_int4 simd_int8 simd_inverse simd_length simd_length_squared \
        simd_linear_combination simd_long2 simd_long3 simd_long4 simd_long8 simd_make_double2 \
        simd_make_double3 simd_make_double4 simd_make_float2 simd_make_float3 simd_make_float4 simd_matrix \
        simd_matrix3x3 simd_matrix4x4 simd_matrix_from_rows simd_max simd_min simd_mix simd_mul simd_negate \
        simd_norm_inf simd_norm_one simd_normalize simd_project simd_quatd simd_quaternion simd_quatf \
        simd_real simd_recip simd_reduce_add simd_reduce_max simd_reduce_min simd_reflect simd_refract \
        simd_rsqrt simd_short16 simd_short2 simd_short3 simd_short4 simd_short8 simd_sign simd_slerp \
        simd_slerp_longest simd_smoothstep simd_step simd_sub simd_transpose simd_uchar16 simd_uchar2 \
        simd_uchar3 simd_uchar4 simd_uchar8 simd_uint16 simd_uint2 simd_uint3 simd_uint4 simd_uint8 \
        simd_ulong2 simd_ulong3 simd_ulong4 simd_ulong8 simd_ushort16 simd_ushort2 simd_ushort3 \
        simd_ushort4 simd_ushort8 sin smoothstep step tan trunc uint2 uint3 uint4 vector_char16 \
        vector_char2 vector_char3 vector_char4 vector_char8 vector_double2 vector_double3 vector_double4 \
        vector_double8 vector_float16 vector_float2 vector_float3 vector_float4 vector_float8 vector_int16 \
        vector_int2 vector_int3 vector_int4 vector_int8 vector_long2 vector_long3 vector_long4 vector_long8 \
        vector_short16 vector_short2 vector_short3 vector_short4 vector_short8 vector_uchar16 vector_uchar2 \
        vector_uchar3 vector_uchar4 vector_uchar8 vector_uint16 vector_uint2 vector_uint3 vector_uint4 \
        vector_uint8 vector_ulong2 vector_ulong3 vector_ulong4 vector_ulong8 vector_ushort16 vector_ushort2 \
        vector_ushort3 vector_ushort4 vector_ushort8
        """,
      members: """
        act angle axis columns conjugate debugDescription determinant imag inverse length normalized real \
        transpose vector
        """,
      exports: ["Glibc"]),
  ]
}
