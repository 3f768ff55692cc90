import * as v from 'valibot'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import { device, type KeysDevice } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { half, id, listOf, type Nothing, name, nothing } from './fieldSchemas.ts'

/**
 * `POST /vault/devices`: creates the server's key half for this browser. No other browser can read this key half. Fails with
 * `session/stale` if the user signed in more than ten minutes ago. Repeating the request with the same `deviceId` returns the
 * same key half.
 */
export const postDevice: Endpoint<
  {
    readonly userId: string
    /** An ID that the frame chooses. */
    readonly deviceId: string
    readonly name: string
  },
  {
    /** 32 bytes in base64url. */
    readonly serverHalf: string
  }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/devices',
  body: v.object({ userId: id, deviceId: id, name }),
  answer: v.object({ serverHalf: half }),
})

/** `POST /vault/devices/:id/half`: returns the server's key half for this device again. */
export const postDeviceHalf: Endpoint<undefined, { readonly serverHalf: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/devices/:id/half',
  answer: v.object({ serverHalf: half }),
})

/** `GET /vault/devices`: returns the devices. */
export const getDevices: Endpoint<undefined, { readonly devices: readonly KeysDevice[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/devices',
  answer: v.object({ devices: listOf(device) }),
})

/** `DELETE /vault/devices/:id`: permanently erases the device's key half and ends its sign-in sessions. */
export const deleteDevice: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/devices/:id',
  answer: nothing,
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const deviceErrors: EndpointErrors<KeysFailureCode> = [
  [postDevice, 'session/none', 'session/stale', 'session/other-account', 'device/revoked', 'device/other-browser'],
  [postDeviceHalf, 'session/none', 'device/unknown', 'device/revoked', 'device/other-browser'],
  [getDevices, 'session/none'],
  [deleteDevice, 'session/none', 'device/unknown'],
]
