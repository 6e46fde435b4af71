import type { Context } from 'hono'
import { invalidRequest } from '../../http/parse.ts'
import { type CallerDeps, identify } from '../../identity/caller.ts'
import type { Device } from '../../identity/device-auth.ts'
import type { GivenCredentials } from './devices.schemas.ts'

/**
 * Returns the device that the path names. Returns null if the request does not have the token of that device.
 * @throws ServiceError 400 when the credentials name another device than the path
 */
export function findDeviceOfRequest(
  deps: CallerDeps,
  c: Context,
  { pathId, given }: { pathId: string; given: GivenCredentials },
): Promise<Device | null> {
  if (given.deviceId !== undefined && given.deviceId !== pathId) {
    throw invalidRequest([{ path: 'deviceId', message: 'must be the device that the path names' }])
  }
  return identify(c, deps).device({ deviceId: pathId, apiToken: given.apiToken })
}
