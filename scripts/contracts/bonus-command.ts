/**
 * Changes a programme of token bonuses. The key must be that of the programme's owner.
 *
 *   OWNER_KEY=0x... node scripts/contracts/bonus-command.ts <command> --rpc-url URL --hook ADDRESS [--confirm]
 *
 *   show                              settings, what is claimable, and what is in reserve
 *   attach                            make it the default hook of the market
 *   rate --value N                    base units of the token for one USDC
 *   bonus-bps --value N               part of a task's value that becomes bonus
 *   split --value N                   the worker's part of a bonus, basis points
 *   bounds --json '{"maxBonusPerFeeBps":10000,"maxRateDriftBps":20000}'
 *   caps --json '{"globalUsd":..,"workerUsd":..,"requesterUsd":..,"taskUsd":..,"globalTokens":".."}'
 *   ramp --json '{"afterSeconds":[..,..,..],"multiplierBps":[..,..,..,..]}'
 *   fund --value N                    move tokens of the account into the reserve
 *   take --value N --to ADDRESS       take tokens that no account can claim
 *
 * The owner's key comes from the environment, so that it is in no process list and no shell history. `--confirm` is
 * required for a first rate, for a change of the rate by more than a factor of two, and for bonuses above the platform
 * fee.
 */
import { parseArgs } from 'node:util'
import { getAddress, isHex } from 'viem'
import { z } from 'zod'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { attachBonus, type BonusChange, changeBonus, fundReserve, takeReserve } from './bonus-admin.ts'
import { connect } from './chain.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'rpc-url': { type: 'string' },
    hook: { type: 'string' },
    value: { type: 'string' },
    json: { type: 'string' },
    to: { type: 'string' },
    confirm: { type: 'boolean', default: false },
  },
})
const bps = z.int().min(0)
const schemas = {
  bounds: z.strictObject({ maxBonusPerFeeBps: bps, maxRateDriftBps: bps }),
  caps: z.strictObject({
    globalUsd: z.int().min(0),
    workerUsd: z.int().min(0),
    requesterUsd: z.int().min(0),
    taskUsd: z.int().min(0),
    globalTokens: z.string().regex(/^\d+$/).transform(BigInt),
  }),
  ramp: z.strictObject({
    afterSeconds: z.tuple([bps, bps, bps]),
    multiplierBps: z.tuple([bps, bps, bps, bps]),
  }),
}

const key = process.env.OWNER_KEY
if (!isHex(key) || key.length !== 66) throw new Error('OWNER_KEY must be a private key: 0x and 64 hex digits')
const client = await connect(required('rpc-url'), key)
const bonusHook = getAddress(required('hook'))
const contract = { address: bonusHook, abi: bonusHookAbi } as const
const [command = 'show'] = positionals

if (command === 'show') {
  console.log(JSON.stringify(await readProgramme(), (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2))
} else if (command === 'attach') {
  await attachBonus(client, await client.readContract({ ...contract, functionName: 'market' }), bonusHook)
} else if (command === 'fund') {
  const token = await client.readContract({ ...contract, functionName: 'token' })
  await fundReserve(client, { bonusHook, token, amount: wholeNumber() })
} else if (command === 'take') {
  await takeReserve(client, { bonusHook, to: getAddress(required('to')), amount: wholeNumber() })
} else {
  await changeBonus(client, bonusHook, toChange(command), { isConfirmed: values.confirm })
}

async function readProgramme() {
  const [terms, bounds, caps, ramp, claimableUnits, reserve] = await Promise.all([
    client.readContract({ ...contract, functionName: 'terms' }),
    client.readContract({ ...contract, functionName: 'bounds' }),
    client.readContract({ ...contract, functionName: 'caps' }),
    client.readContract({ ...contract, functionName: 'ramp' }),
    client.readContract({ ...contract, functionName: 'totalClaimable' }),
    client.readContract({ ...contract, functionName: 'available' }),
  ])
  return { terms, bounds, caps, ramp, claimable: claimableUnits, reserve }
}

/**
 * Converts the option `--value` or `--json` to the change of a setting. @throws if there is no such setting, or if the
 * value is not valid for the setting
 */
function toChange(setting: string): BonusChange {
  if (setting === 'rate') return { setting, tokenPerUsdc: wholeNumber() }
  if (setting === 'bonus-bps') return { setting, bonusBps: Number(wholeNumber()) }
  if (setting === 'split') return { setting, workerSplitBps: Number(wholeNumber()) }
  if (setting === 'bounds') return { setting, ...schemas.bounds.parse(JSON.parse(required('json'))) }
  if (setting === 'caps') return { setting, ...schemas.caps.parse(JSON.parse(required('json'))) }
  if (setting === 'ramp') return { setting, ...schemas.ramp.parse(JSON.parse(required('json'))) }
  throw new Error(`there is no command ${setting}; see the head of scripts/contracts/bonus-command.ts`)
}

function wholeNumber(): bigint {
  const value = required('value')
  if (!/^\d+$/.test(value)) throw new Error(`--value must be a whole number, not ${value}`)
  return BigInt(value)
}

function required(name: 'rpc-url' | 'hook' | 'value' | 'json' | 'to'): string {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}
