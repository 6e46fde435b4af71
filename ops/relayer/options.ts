import { type Address, getAddress, isAddress, parseEther } from 'viem'
import { parseOptions } from '../process/read-options.ts'

export const relayerCommands = ['list', 'add', 'remove', 'fund', 'drain'] as const

/** The parsed arguments of `npm run relayer`. */
export type RelayerWords = ReturnType<typeof readOptions>

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

/**
 * Parses the arguments of the command.
 * @throws Error with a sentence for people
 */
export function readOptions(words: readonly string[]) {
  const { values, positionals } = parseOptions({
    args: [...words],
    allowPositionals: true,
    options: {
      'dry-run': flag,
      json: flag,
      now: flag,
      amount: text,
      to: text,
      'rpc-url': text,
      keystore: text,
      'password-file': text,
      ledger: flag,
      'derivation-path': text,
      confirmations: text,
    },
  })
  const [commandName = 'list', ...addresses] = positionals
  const command = relayerCommands.find((each) => each === commandName)
  if (command === undefined) {
    throw new Error(`There is no command ${commandName}; npm run relayer -- --help says which there are.`)
  }
  const { amount, to, confirmations = '' } = values
  if (command === 'fund' && amount === undefined) throw new Error('Name what each should have: --amount 0.05 (ether).')
  if (command === 'drain' && to === undefined) throw new Error('Name who gets the rest: --to ADDRESS.')
  const isOfOne = command === 'add' || command === 'remove' || command === 'drain'
  if (isOfOne && addresses.length !== 1) throw new Error(`Name one relayer: npm run relayer -- ${command} ADDRESS.`)
  if (confirmations !== '' && !/^[1-9]\d{0,2}$/.test(confirmations)) {
    throw new Error('--confirmations must be a whole number from 1 to 999.')
  }
  return {
    ...values,
    command,
    isDry: values['dry-run'],
    addresses: addresses.map((each) => toAddress('A relayer', each)),
    to: to === undefined ? null : toAddress('--to', to),
    amountWei: amount === undefined ? null : toWei(amount),
    confirmations: confirmations === '' ? null : Number(confirmations),
  }
}

/**
 * Parses an address, and returns it in lower case.
 * @throws Error if the value is not an address
 */
function toAddress(name: string, value: string): Address {
  if (isAddress(value)) return getAddress(value).toLowerCase() as Address
  throw new Error(`${name} must be an address (0x and 40 hex digits, with a right checksum if mixed), not ${value}.`)
}

function toWei(value: string): bigint {
  if (/^\d{1,6}(\.\d{1,18})?$/.test(value)) return parseEther(value)
  throw new Error(`--amount must be a number of ether such as 0.05, not ${value}.`)
}
