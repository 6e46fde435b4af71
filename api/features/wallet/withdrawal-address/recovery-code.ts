import { randomInt } from 'node:crypto'
import type { Address } from 'viem'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { toAddress } from '../../../http/response-schemas.ts'
import type { withCodeSchema } from './withdrawal-address.schemas.ts'

const DIGITS = 8

const WARNING =
  'Store the recovery code now: it is shown once, only its hash is kept, and the withdrawal address cannot be changed ' +
  'without it. Any holder of it can change where the service sends withdrawals of this wallet.'

/** A new recovery code, and the hash of this code. Only the hash is stored. */
export interface RecoveryCode {
  code: string
  hash: string
}

/**
 * Creates a recovery code of eight random digits.
 * @throws Overloaded when too many codes and passwords wait to be hashed
 */
export async function createRecoveryCode({ passwords }: Pick<Deps, 'passwords'>): Promise<RecoveryCode> {
  const code = randomInt(10 ** DIGITS)
    .toString()
    .padStart(DIGITS, '0')
  return { code, hash: await passwords.hash(code) }
}

/** Returns the answer that shows a new recovery code, with a warning. */
export function toShownCode(address: Address, { code }: RecoveryCode): z.infer<typeof withCodeSchema> {
  return { withdrawalAddress: toAddress(address), accountRecoveryCode: code, warning: WARNING }
}
