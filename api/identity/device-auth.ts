import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/client.ts'
import { ServiceError } from '../errors/service-error.ts'
import { sha256 } from './constant-time.ts'
import { type DeviceRow, findDevice } from './devices.queries.ts'

/** A device whose token the caller has sent correctly. */
export type Device = Omit<DeviceRow, 'tokenHash'>

export interface DeviceCredentials {
  /** The device's id, a lower-case UUID. */
  deviceId: string
  apiToken?: string | undefined
}

/**
 * The hash that stands in for the stored hash if the device is unknown. The sent token is compared with it. No known
 * text has this hash.
 */
const NOBODYS_HASH = Buffer.alloc(32)

/**
 * Returns the device with these credentials, even if the device's access was ended. Returns null for an unknown device
 * or a wrong token. Both null cases take the same time.
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

/**
 * Returns the device, or throws if it is null.
 * @throws ServiceError 401, the same for an unknown device and for a wrong token
 */
export function knownDevice(device: Device | null): Device {
  if (device === null)
    throw new ServiceError(401, 'unclassified', 'There is no device with this id and token.', {
      detail: 'device_not_found',
    })
  return device
}

/**
 * Returns the device, or throws if the device is null or was ended.
 * @throws ServiceError 401 if the device is null (see `knownDevice`), 403 if the device was ended
 */
export function activeDevice(device: Device | null): Device {
  const registeredDevice = knownDevice(device)
  if (!registeredDevice.isActive)
    throw new ServiceError(403, 'unclassified', 'This device was ended; register another one.', {
      detail: 'device_ended',
    })
  return registeredDevice
}

/**
 * Returns a device that may act for its wallet. The wallet must have signed for the device, and the device must not be
 * ended.
 * @throws ServiceError 401 if the device is null, 403 if the device was ended, 403 if the wallet did not sign for the
 * device
 */
export function actingDevice(device: Device | null): Device {
  const activeRow = activeDevice(device)
  if (activeRow.isVerified) return activeRow
  throw new ServiceError(
    403,
    'unclassified',
    'The wallet never signed for this device: register another one with a signature of the wallet.',
    { detail: 'device_not_signed' },
  )
}
