import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/client.ts'
import { ServiceError } from '../errors/service-error.ts'
import { sha256 } from './constant-time.ts'
import { type DeviceRow, findDevice } from './devices.queries.ts'

/** A device whose token was shown. */
export type Device = Omit<DeviceRow, 'tokenHash'>

export interface DeviceCredentials {
  /** The device id, a lower-case UUID. */
  deviceId: string
  apiToken?: string | undefined
}

/** The hash that an unknown device's token is compared with; no known text has it. */
const NOBODYS_HASH = Buffer.alloc(32)

/**
 * Returns the device of these credentials, active or not; null for an unknown device and for a wrong token. Both cases
 * cost one query, one hash and one comparison in constant time.
 */
export async function authenticateDevice(
  sql: Database,
  { deviceId, apiToken = '' }: DeviceCredentials,
): Promise<Device | null> {
  const row = await findDevice(sql, deviceId)
  const isToken = timingSafeEqual(sha256(apiToken), row?.tokenHash ?? NOBODYS_HASH)
  if (row === null || !isToken) return null
  const { tokenHash: _, ...device } = row
  return device
}

/** Requires a device. @throws ServiceError 401, the same for an unknown device and for a wrong token */
export function knownDevice(device: Device | null): Device {
  if (device === null)
    throw new ServiceError(401, 'unclassified', 'There is no device with this id and token.', {
      detail: 'device_not_found',
    })
  return device
}

/** Requires an active device. @throws ServiceError 401 as `knownDevice`, 403 after its end */
export function activeDevice(device: Device | null): Device {
  const registeredDevice = knownDevice(device)
  if (!registeredDevice.isActive)
    throw new ServiceError(403, 'unclassified', 'This device was ended; register another one.', {
      detail: 'device_ended',
    })
  return registeredDevice
}

/**
 * Requires a device that may act for its wallet: the wallet signed for it, and it was not ended.
 * @throws ServiceError 401 and 403 as `activeDevice`, 403 when the wallet never signed for it
 */
export function actingDevice(device: Device | null): Device {
  const active = activeDevice(device)
  if (active.isVerified) return active
  throw new ServiceError(
    403,
    'unclassified',
    'The wallet never signed for this device: register another one with a signature of the wallet.',
    { detail: 'device_not_signed' },
  )
}
