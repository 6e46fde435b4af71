import type { Address } from 'viem'
import { z } from 'zod'
import { decisiveFields, type RecordedSetup, recordedSetupSchema } from './recorded-setup.ts'
import { setupDefaults } from './setup.ts'

/** Stand-ins for what a dry run was not told: accounts without a known key, and a URL that no service has. */
const assumptions = {
  deployer: '0x1111111111111111111111111111111111111111',
  owner: '0x2222222222222222222222222222222222222222',
  feeRecipient: '0x3333333333333333333333333333333333333333',
  publicBaseUrl: 'https://market.example',
} as const satisfies Partial<RecordedSetup>

/** The arguments that name each field. */
const optionOf = {
  deployer: '--deployer',
  owner: '--owner',
  feeRecipient: '--fee-recipient',
  publicBaseUrl: '--public-base-url',
} as const

export interface ChosenSetup {
  setup: RecordedSetup
  /** Fields that nothing named, which a dry run assumes. */
  assumed: (keyof typeof assumptions)[]
}

interface Sources {
  /** By the arguments. */
  given: Partial<RecordedSetup>
  /** By the deployment file. */
  recorded: RecordedSetup | undefined
  /** Address of the account that signs. */
  signer: Address | undefined
}

/**
 * Puts a setup together: the arguments, then what the deployment file recorded, then the usual values. Relayers of both are
 * allowed.
 * @param options.isDry fields that are missing are assumed
 * @param options.isNew it may be another deployment than the recorded one
 * @throws Error that names the arguments that are missing, or the field that differs from the recorded one
 */
export function chooseSetup(
  { given, recorded, signer }: Sources,
  { isDry, isNew }: { isDry: boolean; isNew: boolean },
): ChosenSetup {
  if (signer !== undefined && given.deployer !== undefined && signer !== given.deployer) {
    throw new Error(`--deployer is ${given.deployer}, but the account that signs is ${signer}.`)
  }
  const asked = { ...given, ...(signer !== undefined && { deployer: signer }) }
  if (recorded !== undefined && !isNew) requireSame(asked, recorded)
  const relayers = [...new Set([...(recorded?.relayers ?? []), ...(given.relayers ?? [])])]
  const known: Partial<RecordedSetup> = { ...setupDefaults, ...recorded, ...asked, relayers }
  const assumed = (Object.keys(assumptions) as (keyof typeof assumptions)[]).filter(
    (field) => known[field] === undefined,
  )
  if (assumed.length > 0 && !isDry) {
    throw new Error(
      `These are missing: ${assumed.map((field) => optionOf[field]).join(', ')}. npm run deploy -- --help says what each is; ` +
        'a dry run goes without.',
    )
  }
  const result = recordedSetupSchema.safeParse({ ...assumptions, ...known })
  if (!result.success) throw new Error(`The setup is wrong: ${z.prettifyError(result.error)}`)
  const { data: setup } = result
  if (setup.guardian !== undefined && setup.relayers.includes(setup.guardian)) {
    throw new Error(
      `The guardian ${setup.guardian} is a relayer: it vetoes what relayers announce, so name another account.`,
    )
  }
  return { setup, assumed }
}

function requireSame(asked: Partial<RecordedSetup>, recorded: RecordedSetup): void {
  for (const field of decisiveFields) {
    const value = asked[field]
    if (value === undefined || String(value).toLowerCase() === String(recorded[field]).toLowerCase()) continue
    throw new Error(
      `The deployment file records a deployment with ${field} ${recorded[field] ?? 'unset'}, not ${value}: with another one all ` +
        'addresses change. Leave the argument out to continue that deployment, or begin another one with --new.',
    )
  }
}
