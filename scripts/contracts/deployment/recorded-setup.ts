import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { defaultBonusSetup } from '../bonus-setup.ts'
import type { Setup } from './setup.ts'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is no address, or one with a wrong checksum')
  .transform((text): Address => getAddress(text))

/** A setup in a deployment file. */
export const recordedSetupSchema = z.object({
  deployer: address,
  owner: address,
  feeRecipient: address,
  feeBps: z.int().min(0).max(2000),
  serviceName: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 31, 'has more than 31 bytes'),
  /** Written into the registrar for good, and paths are appended to it. */
  publicBaseUrl: z
    .string()
    .refine(isBaseUrl, 'is no http or https URL without a trailing slash, a query and a fragment'),
  relayers: z.array(address),
  guardian: address.exactOptional(),
  /** Token of a programme of bonuses. `local`: one of our own, on a chain of one machine. */
  rewardToken: z.union([z.literal('local'), address]).exactOptional(),
})

/** A recorded setup. Example: `{ "deployer": "0x…", "owner": "0x…", "feeBps": 750, … }`. */
export type RecordedSetup = z.infer<typeof recordedSetupSchema>

/** Fields that decide addresses. Another value means another deployment. */
export const decisiveFields = [
  'deployer',
  'owner',
  'feeRecipient',
  'feeBps',
  'serviceName',
  'publicBaseUrl',
  'rewardToken',
] as const satisfies (keyof RecordedSetup)[]

/** Completes a recorded setup. A programme starts as `defaultBonusSetup`, so it pays nothing until its owner sets a rate. */
export function toSetup({ rewardToken, ...setup }: RecordedSetup): Setup {
  return { ...setup, ...(rewardToken !== undefined && { bonus: { token: rewardToken, setup: defaultBonusSetup } }) }
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && search === '' && hash === '' && !text.endsWith('/')
}
