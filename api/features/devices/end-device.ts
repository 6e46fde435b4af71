import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { identify } from '../../identity/caller.ts'
import { type Device, knownDevice } from '../../identity/device-auth.ts'
import { deactivateDevice } from '../../identity/devices.queries.ts'
import { defineRoute } from '../define-route.ts'
import { deviceParams } from './devices.schemas.ts'

/**
 * Ends a device for good. Any holder of the device's token may end the device.
 *
 * Example: `DELETE /api/devices/be7a..` answers `{"success": true}`.
 */
export const endDevice = defineRoute({
  operationId: 'endDevice',
  method: 'delete',
  path: '/devices/{deviceId}',
  tag: 'devices',
  summary: 'End a device',
  description: 'From then on it may do nothing, its key included. Repeating it changes nothing.',
  params: deviceParams,
  needs: ['DeviceToken'],
  audience: 'device',
  responses: {
    200: { description: 'It is ended.', schema: z.object({ success: z.literal(true) }) },
    401: { description: 'No device with this id and token.' },
  },
  handler: async (deps, { params }, c) => deactivate(deps, await identify(c, deps).device(params)),
})

/**
 * Ends a device.
 * @throws ServiceError 401 if `device` is null
 */
export async function deactivate({ sql }: Pick<Deps, 'sql'>, device: Device | null): Promise<{ success: true }> {
  await deactivateDevice(sql, knownDevice(device).id)
  return { success: true }
}
