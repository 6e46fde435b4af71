import { type Address, getAddress, isAddress, parseGwei } from 'viem'
import { parseOptions } from '../../../ops/process/read-options.ts'
import type { RecordedSetup } from './recorded-setup.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const optionTypes = {
  network: text,
  'rpc-url': text,
  file: text,
  local: flag,
  'dry-run': flag,
  check: flag,
  deployer: text,
  owner: text,
  'fee-recipient': text,
  'fee-bps': text,
  'service-name': text,
  'public-base-url': text,
  relayer: { type: 'string', multiple: true },
  guardian: text,
  'reward-token': text,
  new: flag,
  keystore: text,
  'password-file': text,
  ledger: flag,
  'derivation-path': text,
  unsigned: text,
  send: text,
  replace: flag,
  'max-fee-gwei': text,
  'priority-fee-gwei': text,
  confirmations: text,
  out: text,
  'no-submit': flag,
  'sourcify-url': { type: 'string', default: 'https://sourcify.dev/server' },
  'etherscan-url': { type: 'string', default: 'https://api.etherscan.io/v2/api' },
} as const

/** The words of `npm run deploy`, parsed. */
export type DeployWords = ReturnType<typeof readOptions>

/** Parses the command-line words of `npm run deploy`. @throws Error with a sentence for people */
export function readOptions(words: readonly string[]) {
  refuseKeys(words)
  const { values, positionals } = parseOptions({ args: [...words], allowPositionals: true, options: optionTypes })
  const [command = 'deploy', ...others] = positionals
  if (!['deploy', 'verify'].includes(command) || others.length > 0) {
    throw new Error(`There is no command ${positionals.join(' ')}; npm run deploy -- --help says which there are.`)
  }
  const modes = [command === 'verify' && 'verify', values['dry-run'] && '--dry-run', values.check && '--check']
  const chosenModes = modes.filter((mode) => mode !== false)
  if (chosenModes.length > 1) throw new Error(`Choose one of ${chosenModes.join(' and ')}.`)
  if (values.network === undefined)
    throw new Error('Name the network: --network base-sepolia, base, or a deployment file.')
  return {
    ...values,
    network: values.network,
    mode: (chosenModes[0]?.replace('--', '') ?? 'run') as 'run' | 'verify' | 'dry-run' | 'check',
    given: readGiven(values),
    fees: readFees(values['max-fee-gwei'], values['priority-fee-gwei']),
    confirmations: readNumber('confirmations', values.confirmations, { least: 1, most: 1000 }),
  }
}

/**
 * Refuses a private key among the command-line words. Other users can read such a key in the list of processes, and it
 * stays in the history of the shell.
 */
function refuseKeys(words: readonly string[]): void {
  const isKey = words.some((word) => /^(--?[a-z-]+=)?(0x)?[0-9a-f]{64}$/i.test(word))
  const isKeyOption = words.some((word) => /^--(private-key|key|mnemonic|seed)\b/.test(word))
  if (!isKey && !isKeyOption) return
  throw new Error(
    'A key is never taken from the arguments: other programs see them, and the shell keeps them. Take this key out of use. ' +
      'Make another with `npx cast wallet new FOLDER`, and give its file: --keystore FILE; or --ledger, or --unsigned FILE.',
  )
}

type Values = Partial<Record<keyof typeof optionTypes, unknown>>

/** Returns the fields of a setup that the options contain. */
function readGiven(values: Values & { relayer?: string[] | undefined }): Partial<RecordedSetup> {
  const word = (name: keyof typeof optionTypes) => values[name] as string | undefined
  const address = (name: keyof typeof optionTypes) => {
    const value = word(name)
    return value === undefined ? undefined : toAddress(name, value)
  }
  const rewardToken = word('reward-token') === 'local' ? ('local' as const) : address('reward-token')
  const optionValues = {
    deployer: address('deployer'),
    owner: address('owner'),
    feeRecipient: address('fee-recipient'),
    feeBps: readNumber('fee-bps', word('fee-bps'), { least: 0, most: 2000 }),
    serviceName: word('service-name'),
    publicBaseUrl: word('public-base-url'),
    relayers: values.relayer?.map((relayer) => toAddress('relayer', relayer)),
    guardian: address('guardian'),
    rewardToken,
  }
  return Object.fromEntries(Object.entries(optionValues).filter(([, value]) => value !== undefined))
}

function toAddress(name: string, value: string): Address {
  if (isAddress(value)) return getAddress(value)
  throw new Error(`--${name} must be an address (0x and 40 hex digits, with a right checksum if mixed), not ${value}.`)
}

function readNumber(
  name: string,
  value: string | undefined,
  { least, most }: { least: number; most: number },
): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not ${value}.`)
}

/**
 * Reads the gas prices of the options. Both prices must be given, or none. With only one of them, the other one would
 * have to be guessed.
 */
function readFees(maximum: string | undefined, priority: string | undefined) {
  if (maximum === undefined && priority === undefined) return undefined
  if (maximum === undefined || priority === undefined)
    throw new Error('Give --max-fee-gwei and --priority-fee-gwei together.')
  const [maxFeePerGas, maxPriorityFeePerGas] = [toGwei(maximum), toGwei(priority)]
  if (maxFeePerGas < maxPriorityFeePerGas) throw new Error('--max-fee-gwei must not be below --priority-fee-gwei.')
  return { maxFeePerGas, maxPriorityFeePerGas }
}

function toGwei(value: string): bigint {
  if (/^\d+(\.\d{1,9})?$/.test(value)) return parseGwei(value)
  throw new Error(`a price must be a number of gwei such as 0.05, not ${value}.`)
}
