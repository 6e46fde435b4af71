import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { activeDevice, type Device } from '../../identity/device-auth.ts'
import { keySecrets, openSecret } from '../../identity/sealed-secret.ts'
import { defineRoute } from '../define-route.ts'
import { findDeviceOfRequest } from './device-of-request.ts'
import { credentialsSchema, deviceKeySchema, deviceParams } from './devices.schemas.ts'

/**
 * Returns the encryption key of a device. See the specification, "Agents and identity".
 *
 * Example: `POST /api/devices/be7a../key` with `{"deviceId": "bcd8..", "apiToken": "9fb4877827a6823a.."}` answers
 * `{"deviceEncryptionKey": "75b09ae6fe399937.."}`.
 */
export const getDeviceKey = defineRoute({
  operationId: 'getDeviceKey',
  method: 'post',
  path: '/devices/{deviceId}/key',
  tag: 'devices',
  summary: "Get a device's encryption key",
  params: deviceParams,
  body: credentialsSchema,
  needs: ['DeviceToken'],
  audience: 'device',
  responses: {
    200: { description: 'The key.', schema: deviceKeySchema },
    401: { description: 'No device with this id and token.' },
    403: { description: 'The device was ended.' },
  },
  handler: async (deps, { params, body }, c) => {
    const device = await findDeviceOfRequest(deps, c, { pathId: params.deviceId, given: body })
    const answer = readDeviceKey(deps, device)
    c.header('Cache-Control', 'no-store')
    return answer
  },
})

/**
 * Returns the encryption key of a device.
 * @throws ServiceError 401 if `device` is null, 403 if the device was ended
 */
export function readDeviceKey(
  { config }: Pick<Deps, 'config'>,
  device: Device | null,
): z.infer<typeof deviceKeySchema> {
  const { id, sealedKey } = activeDevice(device)
  const key = openSecret(keySecrets(config), { purpose: 'device-encryption-key', id }, sealedKey)
  return { deviceEncryptionKey: key.toString('hex') }
}
