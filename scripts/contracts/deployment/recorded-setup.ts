import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { defaultBonusSetup } from '../bonus-setup.ts'
import type { Setup } from './setup.ts'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is no address, or one with a wrong checksum')
  .transform((text): Address => getAddress(text))

/** The setup of a deployment, in the form in which a deployment file stores it. */
export const recordedSetupSchema = z.object({
  deployer: address,
  owner: address,
  feeRecipient: address,
  feeBps: z.int().min(0).max(2000),
  serviceName: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 31, 'has more than 31 bytes'),
  /**
   * URL of the service for clients. The registrar stores the URL and appends paths to it. It cannot be changed later.
   */
  publicBaseUrl: z
    .string()
    .refine(isBaseUrl, 'is no http or https URL without a trailing slash, a query and a fragment'),
  relayers: z.array(address),
  guardian: address.exactOptional(),
  /**
   * Reward token of a bonus programme. With `local`, the deployment creates a token, which is allowed only on a local
   * chain.
   */
  rewardToken: z.union([z.literal('local'), address]).exactOptional(),
})

/**
 * The setup of a deployment, as recorded in its file. Example: `{ "deployer": "0x…", "owner": "0x…", "feeBps": 750, …
 * }`.
 */
export type RecordedSetup = z.infer<typeof recordedSetupSchema>

/**
 * Fields that the addresses of the contracts depend on. A setup with another value in such a field is another
 * deployment.
 */
export const decisiveFields = [
  'deployer',
  'owner',
  'feeRecipient',
  'feeBps',
  'serviceName',
  'publicBaseUrl',
  'rewardToken',
] as const satisfies (keyof RecordedSetup)[]

/**
 * Converts a recorded setup to a complete setup. A bonus programme gets the settings of `defaultBonusSetup`, so it pays
 * nothing until its owner sets a rate.
 */
export function toSetup({ rewardToken, ...setup }: RecordedSetup): Setup {
  return { ...setup, ...(rewardToken !== undefined && { bonus: { token: rewardToken, setup: defaultBonusSetup } }) }
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && search === '' && hash === '' && !text.endsWith('/')
}
