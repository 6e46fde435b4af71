import { parseArgs } from 'node:util'
import { type Address, getAddress, isHex, keccak256, toHex } from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { connect } from './chain.ts'
import { changeVault, createVault, fundVault, type VaultChange } from './vault-admin.ts'

type Client = Awaited<ReturnType<typeof connect>>
type OptionName = 'rpc-url' | 'factory' | 'token' | 'vault' | 'hook' | 'manager' | 'value' | 'to'

/**
 * Runs one command of `vault-command.ts`.
 * @param words the command-line words
 * @param key private key of the vault's owner
 * @returns the output of the command: JSON, or an empty text
 * @throws with a sentence for the owner if a word is missing or wrong, or if the change would revert
 */
export async function runVaultCommand(words: readonly string[], key: string | undefined): Promise<string> {
  const options = readOptions(words)
  if (!isHex(key) || key.length !== 66) throw new Error('OWNER_KEY must be a private key: 0x and 64 hex digits')
  const client = await connect(options.required('rpc-url'), key)
  switch (options.command) {
    case 'create': {
      const salt = keccak256(toHex(options.salt))
      const place = { factory: options.address('factory'), token: options.address('token') }
      return toOutput(await createVault(client, { ...place, salt }))
    }
    case 'show':
      return toOutput(await readVault(client, options.address('vault')))
    case 'fund':
      return toOutput({ received: await fundVault(client, options.address('vault'), options.wholeNumber()) })
    default: {
      const change = await toChange(client, options)
      await changeVault(client, options.address('vault'), change, { isConfirmed: options.isConfirmed })
      return ''
    }
  }
}

type Options = ReturnType<typeof readOptions>

function readOptions(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      'rpc-url': { type: 'string' },
      factory: { type: 'string' },
      token: { type: 'string' },
      salt: { type: 'string', default: '' },
      vault: { type: 'string' },
      hook: { type: 'string' },
      manager: { type: 'string' },
      value: { type: 'string' },
      to: { type: 'string' },
      forbid: { type: 'boolean', default: false },
      confirm: { type: 'boolean', default: false },
    },
  })
  const requireOption = (name: OptionName): string => {
    const value = values[name]
    if (value === undefined) throw new Error(`--${name} is missing`)
    return value
  }
  return {
    command: positionals[0] ?? 'show',
    salt: values.salt,
    isOn: !values.forbid,
    isConfirmed: values.confirm,
    has: (name: OptionName) => values[name] !== undefined,
    required: requireOption,
    address: (name: OptionName): Address => getAddress(requireOption(name)),
    wholeNumber: (): bigint => {
      const value = requireOption('value')
      if (!/^\d+$/.test(value)) throw new Error(`--value must be a whole number, not ${value}`)
      return BigInt(value)
    },
  }
}

async function readVault(client: Client, vault: Address) {
  const contract = { address: vault, abi: sponsoredVaultAbi } as const
  const [vaultId, owner, token, hook, epoch, exitAt, isExited, totals] = await Promise.all([
    client.readContract({ ...contract, functionName: 'vaultId' }),
    client.readContract({ ...contract, functionName: 'owner' }),
    client.readContract({ ...contract, functionName: 'token' }),
    client.readContract({ ...contract, functionName: 'hook' }),
    client.readContract({ ...contract, functionName: 'epoch' }),
    client.readContract({ ...contract, functionName: 'exitAt' }),
    client.readContract({ ...contract, functionName: 'isExited' }),
    client.readContract({ ...contract, functionName: 'totals' }),
  ])
  const isCharger = await client.readContract({ ...contract, functionName: 'isCharger', args: [hook] })
  return { vaultId, vault, owner, token, hook, isCharger, epoch, exitAt, isExited, totals }
}

/** Converts the command and its options to a change of a vault. @throws if there is no such command */
async function toChange(client: Client, options: Options): Promise<VaultChange> {
  const { command: change, isOn } = options
  switch (change) {
    case 'charger': {
      const contract = { address: options.address('vault'), abi: sponsoredVaultAbi } as const
      const readOwnHook = () => client.readContract({ ...contract, functionName: 'hook' })
      return { change, hook: options.has('hook') ? options.address('hook') : await readOwnHook(), allowed: isOn }
    }
    case 'manager':
      return { change, manager: options.address('manager'), spendCap: options.wholeNumber(), active: isOn }
    case 'fee-credit':
      return { change, amount: options.wholeNumber() }
    case 'withdraw':
      return { change, to: options.address('to'), amount: options.wholeNumber() }
    case 'exit':
      return { change, to: options.address('to') }
    case 'announce-exit':
    case 'collect-fees':
      return { change }
    default:
      throw new Error(`there is no command ${change}; see the head of scripts/contracts/vault-command.ts`)
  }
}

function toOutput(result: object): string {
  return JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2)
}
