import type { z } from 'zod'
import { toAddress } from '../../http/response-schemas.ts'
import { type Device, knownDevice } from '../../identity/device-auth.ts'
import { defineRoute } from '../define-route.ts'
import { findDeviceOfRequest } from './device-of-request.ts'
import { credentialsSchema, deviceParams, deviceStatusSchema } from './devices.schemas.ts'

/**
 * Returns the status of a device, even after the device was ended. See the specification, "Agents and identity".
 *
 * Example: `GET /api/devices/be7a../status` answers `{"walletAddress": "0x14dC..", "active": true, "verified": true}`.
 */
export const getDeviceStatus = defineRoute({
  operationId: 'getDeviceStatus',
  method: 'get',
  path: '/devices/{deviceId}/status',
  tag: 'devices',
  summary: "Get a device's status",
  params: deviceParams,
  query: credentialsSchema,
  needs: ['DeviceToken'],
  audience: 'device',
  responses: {
    200: { description: 'Whose it is, and whether it may still act.', schema: deviceStatusSchema },
    401: { description: 'No device with this id and token.' },
  },
  handler: async (deps, { params, query }, c) =>
    readDeviceStatus(await findDeviceOfRequest(deps, c, { pathId: params.deviceId, given: query })),
})

/**
 * Returns the public form of a device's status.
 * @throws ServiceError 401 if `device` is null
 */
export function readDeviceStatus(device: Device | null): z.infer<typeof deviceStatusSchema> {
  const { wallet, isActive, isVerified } = knownDevice(device)
  return { walletAddress: toAddress(wallet), active: isActive, verified: isVerified }
}
