import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { relayNext } from '../../../api/relayer/loops/relay-next.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { createReorgWatch } from '../../../api/relayer/loops/watch-reorgs.ts'
import { fillNonceGaps } from '../../../api/relayer/transactions/fill-nonce-gaps.ts'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { createRandom } from '../../chain/indexer/random.ts'
import { anActor } from '../../support/actors.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aPlayedChain, type Choose, type PlayedCall, type PlayedChain } from './played-relay-chain.ts'
import { aStartedApi } from './started-api.ts'

const RELAYERS = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)
/** Rounds after which every write must be decided. */
const MOST_ROUNDS = 80
/** A payment that ends during the reorg is valid for so long. */
const ENDING_SECONDS = 60n
const OPERATION = 'tasks.refundExpired'

const api = aStartedApi({ RELAYER_KEYS: RELAYERS.join(','), REPLACE_AFTER_MS: '3600000' })
let played: PlayedChain
let processes: ReturnType<typeof aProcess>[]
let calls = 0

beforeAll(async () => {
  played = aPlayedChain(api.deps.deployment.forwarder, START)
  Object.assign(api.chain, played.chain)
  for (const { address } of api.deps.relayer.accounts) await openNonceSequence(api.sql, address, 0n)
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: 0n, blockTimestamp: START, checkpoint: '' })}`
  processes = [aProcess(), aProcess()]
})

/** One of the processes that share the rows, with all keys. */
function aProcess() {
  const result = ({ txHash }: { txHash: Hex }) => ({ body: { txHash } })
  const relay = { deps: api.deps, results: new Map([[OPERATION, result]]) as never, onSent: () => {} }
  return { relay, reorgs: createReorgWatch(relay) }
}

/** A write as the pipeline leaves it after bind, open or with a payment that ends so many seconds from now. */
async function bindWrite(
  needs: readonly PlayedCall[],
  { isPaid, validSeconds }: { isPaid: boolean; validSeconds: bigint },
): Promise<{ id: string; call: PlayedCall }> {
  calls += 1
  const nonce = numberToHex(calls, { size: 32 })
  const payer = anActor().address
  const now = (await played.chain.latestHead?.())?.timestamp ?? START
  const validBefore = now + validSeconds
  const payment = { from: payer, value: 1_000n, validAfter: 0n, validBefore, nonce, signature: '0xab' } as const
  const intent = await bindIntent(api, {
    relay: isPaid ? { mode: 'paid', payment } : { mode: 'open' },
    boundAtBlock: BigInt(played.height()),
  })
  if (!('relay' in intent)) throw new Error('it is not bound')
  const call = { intent, needs }
  played.admit(call)
  return { id: intent.id, call }
}

/** One round of every process, with deferred steps due and unanswered transactions sent again, then blocks. */
async function playRound(choose: Choose): Promise<void> {
  for (const { relay, reorgs } of processes) {
    await reorgs.pass()
    await api.sql`update attempts set sent_at = now() - interval '1 hour'`
    await api.sql`update intents set relay_after = now() where status = 'recorded'`
    await watchBroadcast(relay)
    await fillNonceGaps(relay)
    const { accounts } = api.deps.relayer
    // Later writes are signed by other keys, so that no nonce keeps their order.
    while (await relayNext(relay, accounts[choose(accounts.length)] ?? accounts[0], 'plain'));
  }
  for (let blocks = 1 + choose(2); blocks > 0; blocks -= 1) played.mine(choose)
}

async function statusesOf(ids: readonly string[]): Promise<string[]> {
  const rows = await api.sql<{ id: string; status: string }[]>`select id, status from intents where id = any(${ids})`
  return ids.map((id) => rows.find((row) => row.id === id)?.status ?? 'absent')
}

async function playUntil(ids: readonly string[], isEnd: (statuses: readonly string[]) => boolean, choose: Choose) {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (isEnd(await statusesOf(ids))) return
    await playRound(choose)
  }
  throw new Error(`after ${MOST_ROUNDS} rounds the writes are ${await statusesOf(ids)}`)
}

const isDecided = (statuses: readonly string[]) => statuses.every((status) => ['completed', 'failed'].includes(status))

/** Returns true for a call that another account or its deadline made impossible, or that needs such a call. */
function isHindered(call: PlayedCall, impossible: readonly (PlayedCall | undefined)[]): boolean {
  return impossible.includes(call) || call.needs.some((need) => isHindered(need, impossible))
}

it('given writes that need earlier ones, when reorgs of any depth remove them, then each answered one is completed again, once', async () => {
  const history = fc.record({
    /** For each write: which of the two before it it needs, mostly the last one, and whether it is paid. */
    writes: fc.array(fc.record({ needs: fc.constantFrom(0, 1, 2, 2, 2, 3), isPaid: fc.boolean() }), {
      minLength: 4,
      maxLength: 7,
    }),
    /** For each reorg: its depth, per cent of the blocks, and whether the pool keeps what it removes. */
    reorgs: fc.array(fc.record({ share: fc.constantFrom(30, 70, 100, 100), keeps: fc.boolean() }), {
      minLength: 2,
      maxLength: 3,
    }),
    /** Per cent: the write that another account's transaction makes impossible during the reorg; above: none. */
    blockedShare: fc.nat({ max: 300 }),
    /** Per cent: the write whose payment ends during the reorg, if it has one; above: none. */
    endingShare: fc.nat({ max: 130 }),
    seed: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(history, async ({ writes, reorgs, blockedShare, endingShare, seed }) => {
      await api.sql`update intents set watched = false, payment_watched = false`
      const { below } = createRandom(seed)
      const choose: Choose = (bound) => (bound <= 0 ? 0 : below(bound))
      const first = played.height()
      const bound: { id: string; call: PlayedCall }[] = []
      const ending = Math.floor((endingShare * writes.length) / 100)
      for (const [index, { needs, isPaid }] of writes.entries()) {
        const before = bound.slice(-2).filter((_, index) => (needs & (1 << index)) !== 0)
        await playUntil(
          before.map(({ id }) => id),
          isDecided,
          choose,
        )
        bound.push(
          await bindWrite(
            before.map(({ call }) => call),
            { isPaid, validSeconds: index === ending ? ENDING_SECONDS : 10n * ENDING_SECONDS },
          ),
        )
      }
      const ids = bound.map(({ id }) => id)
      await playUntil(ids, isDecided, choose)
      expect(await statusesOf(ids)).toEqual(ids.map(() => 'completed'))
      const blocked = bound[Math.floor((blockedShare * bound.length) / 100)]?.call
      const ended = writes[ending]?.isPaid === true ? bound[ending]?.call : undefined
      for (const { share, keeps } of reorgs) {
        played.reorganize(1 + Math.floor((share * (played.height() - first - 1)) / 100), keeps)
        for (let rounds = choose(3); rounds > 0; rounds -= 1) await playRound(choose)
      }
      if (blocked !== undefined) played.block(blocked)
      if (ended !== undefined) played.passTime(ENDING_SECONDS)
      await playUntil(ids, isDecided, choose)
      const statuses = await statusesOf(ids)
      bound.forEach(({ call }, index) => {
        if (!isHindered(call, [blocked, ended])) expect(statuses[index]).toBe('completed')
      })
    }),
    { numRuns: byDepth(2, 100), endOnFailure: true },
  )
})
