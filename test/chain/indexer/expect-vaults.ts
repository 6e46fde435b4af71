import type postgres from 'postgres'
import { type Address, type Hex, hexToString, zeroHash } from 'viem'
import { expect } from 'vitest'
import { logsOf, lower, orZero } from './expectation.ts'
import type { MarketChain } from './market-chain.ts'
import { type MarketLogs, readMarketLogs } from './market-logs.ts'
import {
  type CreatedVault,
  pickLogs,
  readCreatedVaults,
  readVaultLogs,
  type VaultLog,
  viewsOfVault,
} from './vault-chain.ts'

interface Subject {
  sql: postgres.Sql
  chain: MarketChain
  created: CreatedVault
  logs: VaultLog[]
}

/** In the order of ChargeState. */
const states = ['none', 'reserved', 'credited', 'settled', 'released']

/** Every table of sponsored vaults against the contracts' views, and where they have none, against their logs. */
export async function expectVaultsEqual({ sql, chain }: Pick<Subject, 'sql' | 'chain'>): Promise<void> {
  const created = await readCreatedVaults(chain)
  const rows = await sql`SELECT vault_id FROM market.sponsored_vault`
  expect(rows.map((row) => row.vault_id).toSorted()).toEqual(created.map(({ vaultId }) => vaultId).toSorted())
  const marketLogs = await readMarketLogs(chain)
  for (const one of created) {
    const subject = { sql, chain, created: one, logs: await readVaultLogs(chain, one.vault) }
    await expectVaultEqual(subject)
    await expectAccountsEqual(subject)
    await expectChargesEqual(subject)
    await expectClaimsEqual(subject)
    await expectHistoryEqual(subject)
    await expectRewardsFollowFromEvents(subject, marketLogs)
  }
}

async function expectVaultEqual({ sql, chain, created, logs }: Subject): Promise<void> {
  const read = viewsOfVault(chain, created.vault)
  const [row] = await sql`SELECT * FROM market.sponsored_vault WHERE vault_id = ${created.vaultId}`
  const [totals, hook, owner, token, epoch, exitAt, isExited] = await Promise.all([
    read.totals(),
    read.hook(),
    read.owner(),
    read.token(),
    read.epoch(),
    read.exitAt(),
    read.isExited(),
  ])
  expect(row).toMatchObject({
    vault: lower(created.vault),
    hook: lower(hook),
    owner: lower(owner),
    token: lower(token),
    salt: created.salt,
    // What the token answered at that time.
    token_name: created.hasName ? hexToString(created.name) : null,
    token_symbol: created.hasSymbol ? hexToString(created.symbol) : null,
    token_decimals: created.hasDecimals ? created.decimals : null,
    epoch: Number(epoch),
    available: String(totals.available),
    reserved: String(totals.reserved),
    owed: String(totals.owed),
    fees: String(totals.fees),
    fee_credit: String(totals.feeCredit),
    funded_total: String(sumOf(logs, 'Funded')),
    withdrawn_total: String(sumOf(logs, 'AvailableWithdrawn')),
    claimed_total: String(sumOf(logs, 'Claimed')),
    collected_total: String(sumOf(logs, 'FeesCollected')),
  })
  expect(orZero(row?.exit_at)).toBe(exitAt)
  expect(row?.exited_at !== null).toBe(isExited)
  if (row?.exited_at === null) {
    const counted = totals.available + totals.reserved + totals.owed + totals.fees
    const [funded, withdrawn] = [sumOf(logs, 'Funded'), sumOf(logs, 'AvailableWithdrawn')]
    expect(funded - withdrawn - sumOf(logs, 'Claimed') - sumOf(logs, 'FeesCollected')).toBe(counted)
  }
}

async function expectAccountsEqual({ sql, chain, created, logs }: Subject): Promise<void> {
  const read = viewsOfVault(chain, created.vault)
  const managers = await sql`SELECT * FROM market.vault_manager WHERE vault_id = ${created.vaultId}`
  expectSameSet(
    managers.map((row) => row.manager),
    pickLogs(logs, 'ManagerSet').map(({ args }) => lower(args.manager)),
  )
  const shown = managers.map((row) => ({
    spendCap: BigInt(row.spend_cap),
    spent: BigInt(row.spent),
    active: row.active,
  }))
  expect(shown).toEqual(await Promise.all(managers.map((row) => read.managerOf([row.manager]))))
  const chargers = await sql`SELECT * FROM market.vault_charger WHERE vault_id = ${created.vaultId}`
  expectSameSet(
    chargers.map((row) => row.hook),
    pickLogs(logs, 'ChargerSet').map(({ args }) => lower(args.hook)),
  )
  const allowed = await Promise.all(chargers.map((row) => read.isCharger([row.hook])))
  expect(chargers.map((row) => row.allowed)).toEqual(allowed)
}

async function expectChargesEqual({ sql, chain, created, logs }: Subject): Promise<void> {
  const read = viewsOfVault(chain, created.vault)
  const rows = await sql`
    SELECT charge.*, settlement.root, settlement.total, settlement.epoch AS settled_epoch
    FROM market.vault_charge charge LEFT JOIN market.vault_settlement settlement USING (vault_id, task_id)
    WHERE vault_id = ${created.vaultId}`
  const charged = pickLogs(logs, 'RewardCharged').map(({ args }) => args.taskId)
  expect(rows.map((row) => row.task_id).toSorted()).toEqual(charged.toSorted())
  const charges = await Promise.all(rows.map(async (row) => ({ row, view: await read.chargeOf([row.task_id]) })))
  for (const { row, view } of charges) {
    expect({
      hook: row.hook,
      epoch: BigInt(row.epoch),
      state: states.indexOf(row.state),
      manager: row.manager,
      gross: BigInt(row.gross),
      fee: BigInt(row.fee),
      credited: BigInt(row.credited),
      paid: BigInt(row.paid),
      root: row.root ?? zeroHash,
    }).toEqual({ ...view, hook: lower(view.hook), manager: lower(view.manager) })
    expect(BigInt(row.net)).toBe(view.gross - view.fee)
    expect(row.is_own_hook).toBe(row.hook === lower(created.hook))
    const isDecided = row.state !== 'reserved'
    expect(row.ended_at !== null).toBe(isDecided)
    if (isDecided) expect(BigInt(row.credited) + BigInt(row.credited_fee) + BigInt(row.released)).toBe(view.gross)
    if (row.root !== null) expect([row.total, row.settled_epoch]).toEqual([row.credited, row.epoch])
  }
}

async function expectClaimsEqual({ sql, chain, created, logs }: Subject): Promise<void> {
  const read = viewsOfVault(chain, created.vault)
  const { vaultId } = created
  const claimed = pickLogs(logs, 'Claimed').map(({ args }) => args)
  const claims =
    await sql`SELECT * FROM market.vault_claim WHERE vault_id = ${vaultId} ORDER BY block_number, log_index`
  expect(
    claims.map((row) => [row.task_id, row.index, row.worker, row.destination, BigInt(row.amount), BigInt(row.nonce)]),
  ).toEqual(
    claimed.map(({ taskId, index, worker, destination, amount, nonce }) => [
      taskId,
      Number(index),
      lower(worker),
      lower(destination),
      amount,
      nonce,
    ]),
  )
  const workers = [...new Set(claimed.map((args) => args.worker))]
  const nonces = await Promise.all(workers.map((worker) => read.nonceOf([worker])))
  const countOf = (worker: Address) => claims.filter((row) => row.worker === lower(worker)).length
  expect(workers.map((worker) => BigInt(countOf(worker)))).toEqual(nonces)
  const leaves = await sql`SELECT task_id, index, paid_at FROM market.vault_leaf WHERE vault_id = ${vaultId}`
  const paid = await Promise.all(leaves.map((row) => read.paidOf([row.task_id])))
  expect(leaves.map((row) => row.paid_at !== null)).toEqual(
    leaves.map((row, index) => (((paid[index] ?? 0n) >> BigInt(row.index)) & 1n) === 1n),
  )
}

async function expectHistoryEqual({ sql, created, logs }: Subject): Promise<void> {
  const { vaultId } = created
  const ofCharges = ['RewardCharged', 'RewardCredited', 'RewardReleased', 'SettlementInstalled', 'Claimed']
  const events = await sql`SELECT name FROM market.vault_event WHERE vault_id = ${vaultId} ORDER BY ordinal`
  expect(events.map((row) => row.name)).toEqual(
    logs.map(({ eventName }) => eventName).filter((name) => !ofCharges.includes(name)),
  )
  const [exited] = pickLogs(logs, 'Exited')
  const epochs = await sql`SELECT * FROM market.vault_epoch WHERE vault_id = ${vaultId} ORDER BY epoch`
  expect(epochs.map((row) => row.epoch)).toEqual(exited === undefined ? [0] : [0, Number(exited.args.epoch)])
  expect(epochs[0]).toMatchObject({
    defaulted: exited === undefined ? null : String(exited.args.defaulted),
    returned: exited === undefined ? null : String(exited.args.returned),
    returned_to: exited === undefined ? null : lower(exited.args.to),
  })
}

/** What the rules make of the market's awards is what the hook credited, and what its settlement's leaves say. */
async function expectRewardsFollowFromEvents({ sql, created }: Subject, marketLogs: MarketLogs): Promise<void> {
  const { vaultId } = created
  const requesters = new Map(marketLogs.tasks.map(({ id, requester }) => [id, requester]))
  const rows = await sql`
    SELECT * FROM market.vault_charge WHERE vault_id = ${vaultId} AND is_own_hook AND state IN ('credited', 'settled')`
  for (const row of rows) {
    const taskId: Hex = row.task_id
    const awards = logsOf(marketLogs, 'TaskCompleted')
      .filter(({ args }) => args.taskId === taskId)
      .map(({ args }) => ({ worker: args.worker, amount: args.grossAmount }))
    const charge = {
      gross: BigInt(row.gross),
      fee: BigInt(row.fee),
      base: BigInt(row.base),
      requester: requesters.get(taskId) ?? expect.fail(`no task ${taskId}`),
    }
    const credit = { credited: BigInt(row.credited), fee: BigInt(row.credited_fee) }
    expect(credit).toEqual(creditOf(charge, awards))
    if (row.state !== 'settled') continue
    const leaves = await sql`
      SELECT index, worker, amount FROM market.vault_leaf
      WHERE vault_id = ${vaultId} AND task_id = ${taskId} ORDER BY index`
    const earned = earnedOf(charge, awards)
    expect(leaves.map((leaf) => [leaf.index, leaf.worker, BigInt(leaf.amount)])).toEqual(
      awards.flatMap(({ worker }, index) => (earned[index] === 0n ? [] : [[index, lower(worker), earned[index]]])),
    )
  }
}

/** A charge of a vault; an award of all that the task could pay, its base, earns all but the fee. */
interface RewardCharge {
  gross: bigint
  fee: bigint
  base: bigint
  requester: string
}

/** An award of the task, gross. */
interface RewardAward {
  worker: string
  amount: bigint
}

/** What each award earns, rounded down, as contracts/src/sponsored/RewardMath.sol does it; one to the requester earns nothing. */
function earnedOf({ gross, fee, base, requester }: RewardCharge, awards: readonly RewardAward[]): bigint[] {
  return awards.map(({ worker, amount }) => (worker === requester ? 0n : ((gross - fee) * amount) / base))
}

/** What the workers and the platform are credited. */
function creditOf(charge: RewardCharge, awards: readonly RewardAward[]): { credited: bigint; fee: bigint } {
  const earned = earnedOf(charge, awards)
  const credited = earned.reduce((sum, part) => sum + part, 0n)
  const awarded = awards.reduce((sum, { amount }, index) => (earned[index] === 0n ? sum : sum + amount), 0n)
  return { credited, fee: (charge.fee * awarded) / charge.base }
}

function expectSameSet(shown: string[], logged: string[]): void {
  expect(shown.toSorted()).toEqual([...new Set(logged)].toSorted())
}

function sumOf(logs: VaultLog[], name: 'Funded' | 'AvailableWithdrawn' | 'Claimed' | 'FeesCollected'): bigint {
  return pickLogs(logs, name).reduce((sum, { args }) => sum + args.amount, 0n)
}
