import type { Address } from 'viem'
import { z } from 'zod'
import { decisiveFields, type RecordedSetup, recordedSetupSchema } from './recorded-setup.ts'
import { setupDefaults } from './setup.ts'

/**
 * Values that a dry run assumes for missing options. No key is known for these accounts, and no service has this URL.
 */
const assumptions = {
  deployer: '0x1111111111111111111111111111111111111111',
  owner: '0x2222222222222222222222222222222222222222',
  feeRecipient: '0x3333333333333333333333333333333333333333',
  publicBaseUrl: 'https://market.example',
} as const satisfies Partial<RecordedSetup>

/** The option of the command for each field of `assumptions`. */
const optionOf = {
  deployer: '--deployer',
  owner: '--owner',
  feeRecipient: '--fee-recipient',
  publicBaseUrl: '--public-base-url',
} as const

export interface ChosenSetup {
  setup: RecordedSetup
  /** Fields that neither an option nor the deployment file contains. A dry run assumes their values. */
  assumed: (keyof typeof assumptions)[]
}

interface Sources {
  /** Fields from the options of the command. */
  given: Partial<RecordedSetup>
  /** Fields from the deployment file. */
  recorded: RecordedSetup | undefined
  /** Address of the account that signs. */
  signer: Address | undefined
}

/**
 * Merges the fields of a setup. Options of the command have priority over the deployment file, and the file has
 * priority over the defaults. The relayers of both options and file are kept.
 * @param options.isDry true to assume missing fields
 * @param options.isNew true if the setup may belong to another deployment than the recorded one
 * @throws Error that names the missing options, or a field that differs from the recorded deployment
 */
export function chooseSetup(
  { given, recorded, signer }: Sources,
  { isDry, isNew }: { isDry: boolean; isNew: boolean },
): ChosenSetup {
  if (signer !== undefined && given.deployer !== undefined && signer !== given.deployer) {
    throw new Error(`--deployer is ${given.deployer}, but the account that signs is ${signer}.`)
  }
  const askedSetup = { ...given, ...(signer !== undefined && { deployer: signer }) }
  if (recorded !== undefined && !isNew) requireSame(askedSetup, recorded)
  const relayers = [...new Set([...(recorded?.relayers ?? []), ...(given.relayers ?? [])])]
  const knownSetup: Partial<RecordedSetup> = { ...setupDefaults, ...recorded, ...askedSetup, relayers }
  const assumedFields = (Object.keys(assumptions) as (keyof typeof assumptions)[]).filter(
    (field) => knownSetup[field] === undefined,
  )
  if (assumedFields.length > 0 && !isDry) {
    throw new Error(
      `These are missing: ${assumedFields.map((field) => optionOf[field]).join(', ')}. npm run deploy -- --help says what each is; ` +
        'a dry run goes without.',
    )
  }
  const result = recordedSetupSchema.safeParse({ ...assumptions, ...knownSetup })
  if (!result.success) throw new Error(`The setup is wrong: ${z.prettifyError(result.error)}`)
  const { data: setup } = result
  if (setup.guardian !== undefined && setup.relayers.includes(setup.guardian)) {
    throw new Error(
      `The guardian ${setup.guardian} is a relayer: it vetoes what relayers announce, so name another account.`,
    )
  }
  return { setup, assumed: assumedFields }
}

function requireSame(askedSetup: Partial<RecordedSetup>, recordedSetup: RecordedSetup): void {
  for (const field of decisiveFields) {
    const value = askedSetup[field]
    if (value === undefined || String(value).toLowerCase() === String(recordedSetup[field]).toLowerCase()) continue
    throw new Error(
      `The deployment file records a deployment with ${field} ${recordedSetup[field] ?? 'unset'}, not ${value}: with another one all ` +
        'addresses change. Leave the argument out to continue that deployment, or begin another one with --new.',
    )
  }
}
