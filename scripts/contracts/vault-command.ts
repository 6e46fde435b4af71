/**
 * Opens and changes a vault that funds tasks, as its owner (docs/vaults.md, "For sponsors").
 *
 *   OWNER_KEY=0x... node scripts/contracts/vault-command.ts <command> --rpc-url URL [--vault ADDRESS] [--confirm]
 *
 *   create --factory ADDRESS --token ADDRESS [--salt TEXT]   make a vault; another text makes another one
 *   show                                                     what it holds, and how it is set
 *   charger [--hook ADDRESS] [--forbid]                      allow a hook to charge it; the market's own unless named
 *   fee-credit --value N                                     platform fees that new charges may cause
 *   manager --manager ADDRESS --value N [--forbid]           allow an account to create tasks, up to N in all
 *   fund --value N                                           move tokens of the account into it
 *   withdraw --value N --to ADDRESS                          take what is not promised
 *   announce-exit                                            end new charges, seven days before an exit
 *   exit --to ADDRESS                                        take everything but platform fees, for good
 *   collect-fees                                             send the platform fees; any account can
 *
 * Amounts are base units of the vault's token. The key comes from the environment, so that it is in no process list and
 * no shell history. What cannot be undone, and a hook that is not the market's, need `--confirm`.
 */
import { parseArgs } from 'node:util'
import { type Address, getAddress, isHex, keccak256, toHex } from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { connect } from './chain.ts'
import { changeVault, createVault, fundVault, type VaultChange } from './vault-admin.ts'

const { values, positionals } = parseArgs({
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

const key = process.env.OWNER_KEY
if (!isHex(key) || key.length !== 66) throw new Error('OWNER_KEY must be a private key: 0x and 64 hex digits')
const client = await connect(required('rpc-url'), key)
const [command = 'show'] = positionals

if (command === 'create') {
  const salt = keccak256(toHex(values.salt))
  print(await createVault(client, { factory: address('factory'), token: address('token'), salt }))
} else if (command === 'show') {
  print(await readVault(address('vault')))
} else if (command === 'fund') {
  const received = await fundVault(client, address('vault'), wholeNumber())
  print({ received })
} else {
  const change = await toChange(command)
  await changeVault(client, address('vault'), change, { isConfirmed: values.confirm })
}

async function readVault(vault: Address) {
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

/** @throws when there is no such command */
async function toChange(change: string): Promise<VaultChange> {
  const isOn = !values.forbid
  switch (change) {
    case 'charger': {
      const contract = { address: address('vault'), abi: sponsoredVaultAbi } as const
      const own = () => client.readContract({ ...contract, functionName: 'hook' })
      return { change, hook: values.hook === undefined ? await own() : address('hook'), allowed: isOn }
    }
    case 'manager':
      return { change, manager: address('manager'), spendCap: wholeNumber(), active: isOn }
    case 'fee-credit':
      return { change, amount: wholeNumber() }
    case 'withdraw':
      return { change, to: address('to'), amount: wholeNumber() }
    case 'exit':
      return { change, to: address('to') }
    case 'announce-exit':
    case 'collect-fees':
      return { change }
    default:
      throw new Error(`there is no command ${change}; see the head of scripts/contracts/vault-command.ts`)
  }
}

function print(result: object): void {
  console.log(JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2))
}

function wholeNumber(): bigint {
  const value = required('value')
  if (!/^\d+$/.test(value)) throw new Error(`--value must be a whole number, not ${value}`)
  return BigInt(value)
}

function address(name: 'factory' | 'token' | 'vault' | 'hook' | 'manager' | 'to'): Address {
  return getAddress(required(name))
}

function required(name: 'rpc-url' | 'factory' | 'token' | 'vault' | 'hook' | 'manager' | 'value' | 'to'): string {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}
