import { parseUnits } from 'viem'
import type { ChainMoney, MarketLogs } from './chain-money.ts'
import type { Row } from './stack-sql.ts'

/** Money by an answer, and by the contracts; base units. */
type Comparison = (rows: readonly Row[], chain: ChainMoney) => [answered: unknown, expected: unknown]

type MarketEvent = MarketLogs[number]['eventName']
type ArgsOf<Name extends MarketEvent> = Extract<MarketLogs[number], { eventName: Name }>['args']

const usdcDecimals = 6
const tokenDecimals = 18

/** Places of `ReturnReason` in the contract. */
const returnReasons = ['reduced', 'surplus_returned', 'unawarded_returned'] as const

/** The sum of a column, of the rows that a condition admits. */
function sumOf(rows: readonly Row[], column: string, where: Row = {}, decimals = usdcDecimals): bigint {
  return rows
    .filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
    .reduce((sum, row) => sum + parseUnits(String(row[column] ?? 0), decimals), 0n)
}

function argsOf<Name extends MarketEvent>({ logs }: ChainMoney, name: Name): ArgsOf<Name>[] {
  return logs.flatMap((log) => (log.eventName === name ? [log.args as ArgsOf<Name>] : []))
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

const awardsOf = (chain: ChainMoney) => argsOf(chain, 'TaskCompleted')
const stakesOf = (chain: ChainMoney) => total(argsOf(chain, 'TaskWorkerSelected').map(({ stake }) => stake))
const stakesBack = (chain: ChainMoney) =>
  total([...argsOf(chain, 'StakeReturned'), ...argsOf(chain, 'StakeForfeited')].map(({ amount }) => amount))

/** Earnings of workers by address, without awards to themselves. */
function earningsOf(chain: ChainMoney): Map<string, bigint> {
  const earned = new Map<string, bigint>()
  for (const { worker, workerPayment, selfAward } of awardsOf(chain)) {
    if (!selfAward) earned.set(worker.toLowerCase(), (earned.get(worker.toLowerCase()) ?? 0n) + workerPayment)
  }
  return earned
}

/** By question of docs/build/cookbook.md. Each reads events, views or balances of contracts, and no row of ours. */
export const cookbookMoney: Record<string, Comparison> = {
  'Volume and take by week and mode': (rows, chain) => [
    [sumOf(rows, 'volume'), sumOf(rows, 'take')],
    [
      total(awardsOf(chain).map(({ grossAmount }) => grossAmount)),
      total(awardsOf(chain).map(({ platformFee }) => platformFee)),
    ],
  ],
  'Tasks and rewards posted by week and mode': (rows, chain) => {
    const rewards = new Map(argsOf(chain, 'TaskCreated').map(({ taskId, terms }) => [taskId, terms.reward]))
    for (const { taskId, reward } of argsOf(chain, 'TaskUpdated')) rewards.set(taskId, reward)
    return [sumOf(rows, 'rewards'), total([...rewards.values()])]
  },
  'Escrow in and out by week': (rows, chain) => [
    [sumOf(rows, 'entered'), sumOf(rows, 'released')],
    [chain.market.received - stakesOf(chain), chain.market.sent - stakesBack(chain)],
  ],
  'Self-dealing': (rows, chain) => [
    [sumOf(rows, 'volume'), sumOf(rows, 'volume', { is_self: true })],
    [
      total(awardsOf(chain).map(({ grossAmount }) => grossAmount)),
      total(awardsOf(chain).flatMap(({ selfAward, grossAmount }) => (selfAward ? [grossAmount] : []))),
    ],
  ],
  'Earnings of workers': (rows, chain) => [
    new Map(
      rows
        .map(({ worker, earned_usdc: earned }) => [worker, parseUnits(String(earned), usdcDecimals)] as const)
        .filter(([, earned]) => earned > 0n),
    ),
    earningsOf(chain),
  ],
  'Earnings by token': (rows, chain) => [
    sumOf(rows, 'earned', { source: 'award' }),
    total([...earningsOf(chain).values()]),
  ],
  'Concentration of earnings': (rows, chain) => [sumOf(rows, 'earned'), total([...earningsOf(chain).values()])],
  'Stakes of claims': (rows, chain) => [
    [sumOf(rows, 'usdc', { kind: 'stake_taken' }), sumOf(rows, 'usdc') - sumOf(rows, 'usdc', { kind: 'stake_taken' })],
    [stakesOf(chain), stakesBack(chain)],
  ],
  'Auction discount': (rows, chain) => [
    sumOf(rows, 'saved'),
    total(
      argsOf(chain, 'EscrowReturned').flatMap(({ reason, amount }) =>
        returnReasons[reason] === 'surplus_returned' ? [amount] : [],
      ),
    ),
  ],
  'Reversals of evaluators': (rows, chain) => [
    sumOf(rows, 'fees'),
    total(argsOf(chain, 'VerdictIssued').map(({ fee }) => fee)),
  ],
  'Fees by operation': (rows, chain) => [sumOf(rows, 'fees'), chain.forwarder.fees],
  'Income of the platform by week': (rows, chain) => [
    ['platform_fee', 'service_fee', 'stake_forfeited'].map((kind) => sumOf(rows, 'usdc', { kind })),
    [
      total(awardsOf(chain).map(({ platformFee }) => platformFee)),
      chain.forwarder.fees,
      total(argsOf(chain, 'StakeForfeited').map(({ amount }) => amount)),
    ],
  ],
  Refunds: (rows, chain) => [
    ['refunded', ...returnReasons].map((kind) => sumOf(rows, 'usdc', { kind })),
    [
      total([...argsOf(chain, 'TaskCancelled'), ...argsOf(chain, 'TaskExpired')].map(({ refund }) => refund)),
      ...returnReasons.map((_, place) =>
        total(argsOf(chain, 'EscrowReturned').flatMap(({ reason, amount }) => (reason === place ? [amount] : []))),
      ),
    ],
  ],
  'Escrow now': (rows, chain) => [sumOf(rows, 'escrow') + sumOf(rows, 'stakes'), chain.market.totalEscrow],
  Liability: (rows, chain) => {
    const of = (account: string) => sumOf(rows, 'usdc', { account })
    return [
      [of('escrow') + of('stake') + of('credit'), of('service_fees'), of('service_fees') + of('prepaid')],
      [chain.market.balance, chain.forwarder.fees, chain.forwarder.balance],
    ]
  },
  'Money of one task': (rows, chain) => {
    const escrow = rows.find(({ kind }) => kind === 'funded')?.to_account
    const reward = argsOf(chain, 'TaskCreated').find(({ taskId }) => `escrow:${taskId}` === escrow)?.terms.reward
    return [
      ['to_account', 'from_account'].map((side) => sumOf(rows, 'amount_units', { [side]: escrow })),
      [reward, reward],
    ]
  },
  'Bonus coverage': (rows, { bonus }) => [sumOf(rows, 'tokens', {}, tokenDecimals), bonus.claimable + bonus.sent],
  'Reserve of bonuses': (rows, { bonus }) => [
    ['bonus', 'bonus_reserve'].map((account) => sumOf(rows, 'tokens', { account }, tokenDecimals)),
    [bonus.claimable, bonus.balance - bonus.claimable],
  ],
  'Vault coverage': (rows, { vaults }) => {
    const of = (state: string, column: string) => sumOf(rows, column, { state }, tokenDecimals)
    const totals = [...vaults.values()]
    return [
      [of('reserved', 'charged'), of('credited', 'credited') + of('settled', 'credited') - of('settled', 'paid')],
      [total(totals.map(({ reserved }) => reserved)), total(totals.map(({ owed }) => owed))],
    ]
  },
  'Balances of vaults': (rows, { vaults }) => [
    [...vaults.keys()].map((vault) =>
      ['available', 'reserved', 'owed', 'fees'].map((name) => sumOf(rows, `${name}_units`, { vault }, tokenDecimals)),
    ),
    [...vaults.values()].map(({ available, reserved, owed, fees }) => [available, reserved, owed, fees]),
  ],
}
