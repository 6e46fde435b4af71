import { type Hex, parseTransaction, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentForwarderAbi as abi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { relayModeOfIntent, transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { relayNext } from '../../../api/relayer/loops/relay-next.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { SIMULATION_FRESH_MS } from '../../../api/relayer/transactions/recent-simulations.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { toLog } from '../../support/contract-log.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'
import { aScriptedNode, type NodeState, reverting, type ScriptedNode, succeeding } from './scripted-node.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  for (const { address } of api.deps.relayer.accounts) await openNonceSequence(api.sql, address, 0n)
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
  await api.sql`delete from service.gas_accounts`
  await api.sql`update relayers set next_nonce = 0`
})

const relayOf = ({ deps }: ScriptedNode) => {
  const results = new Map([['tasks.refundExpired', () => ({ body: { isDone: true } })]])
  return { deps, results: results as never, onSent: () => {} }
}

const signNext = (node: ScriptedNode) => relayNext(relayOf(node), node.deps.relayer.accounts[0], 'plain')

/** An open call, or one paid by an authorization that is valid for 100 seconds. */
function aCall(mode: 'open' | 'paid' | 'prepaid' = 'open'): Promise<BoundIntent> {
  if (mode === 'open') return bindIntent(api)
  const times = { validAfter: 0n, validBefore: START + 100n }
  const payment = { from: anActor().address, value: 5n, ...times, nonce: aHash(), signature: '0xab' } as const
  return bindIntent(api, { relay: { mode, payment } })
}

async function rowOf({ id }: BoundIntent) {
  const [row] = await api.sql<{ status: string; seconds: number; txHash: Hex }[]>`
    select status, relay_mode, relay_class, relay_tries, tx_hash, block_number, terminal_reason, result,
      gas_reserved_wei = (select used_wei from service.gas_accounts where name = gas_account) as is_covered,
      extract(epoch from relay_after - now())::float8 as seconds
    from intents where id = ${id}`
  return row ?? expect.fail('no row')
}

const listAttempts = () => api.sql<{ purpose: string; raw: Hex; hash: Hex; gasLimit: bigint; maxFeePerGas: bigint }[]>`
  select purpose, nonce, gas_limit, max_fee_per_gas, raw, hash, sent_at is not null as is_sent from attempts order by id`

describe('a call in the outbox', () => {
  it('given it would act, then it is signed, stored and sent, and what the node answers does not matter', async () => {
    for (const sendRawTransaction of [undefined, () => Promise.reject(new Error('no answer'))]) {
      const intent = await aCall()
      const node = aScriptedNode(api)
      if (sendRawTransaction !== undefined) Object.assign(node.deps.chain, { sendRawTransaction })
      expect(await signNext(node)).toBe(true)
      const attempt = (await listAttempts()).at(-1) ?? expect.fail('not signed')
      expect(attempt).toMatchObject({ purpose: 'call', gasLimit: 125_000n, maxFeePerGas: 3_000n, isSent: true })
      const { to, data } = parseTransaction(attempt.raw)
      expect({ to, data }).toEqual(transactionOfIntent(intent as never, api.deps.deployment))
      expect(node.sent).toEqual(sendRawTransaction === undefined ? [attempt.raw] : [])
      expect(await rowOf(intent)).toMatchObject({ status: 'broadcast', txHash: attempt.hash })
    }
  })

  it.each(['plain', 'foreign'] as const)(
    'given it is %s, then each step that a process may end after is reached once, in order',
    async (relayClass) => {
      const intent = await aCall()
      await api.sql`update intents set ${api.sql({ relayClass })} where id = ${intent.id}`
      const reached: string[] = []
      const receipts: NodeState['receipts'] = {}
      const node = aScriptedNode(api, { receipts })
      Object.assign(node.deps, { reach: (point: string) => reached.push(point) })
      await relayNext(relayOf(node), node.deps.relayer.accounts[0], relayClass)
      const { txHash } = await rowOf(intent)
      const account = `of a ${relayClass} call`
      await api.sql`insert into service.gas_accounts (name, used_wei) values (${account}, 10)`
      await api.sql`
        update intents set gas_account = ${account}, gas_reserved_wei = 10
        where id = ${intent.id} and relay_class = 'foreign'`
      receipts[txHash] = { logs: [relayLog(intent, txHash)] }
      await watchBroadcast(relayOf(node))
      const [gas] = await api.sql`select used_wei from service.gas_accounts where name = ${account}`
      expect(gas).toEqual({ usedWei: relayClass === 'foreign' ? 7n : 10n })
      const sent = ['after-sign', 'after-send', 'after-answer']
      expect(reached).toEqual([...sent, 'after-mined', 'before-complete-commit', 'after-complete'])
    },
  )

  it.each([
    ['a moment ago and it is plain', 'plain', 0, 2_500_000n],
    ['two seconds ago', 'plain', SIMULATION_FRESH_MS, 125_000n],
    ['a moment ago and it runs code of another account', 'foreign', 0, 2_400_000n],
  ] as const)(
    'given it was simulated for its caller %s, then its gas is kept or found again',
    async (_, relayClass, ago, gasLimit) => {
      const intent = await aCall()
      const isForeign = relayClass === 'foreign'
      const columns = { relayClass, gasLimit: isForeign ? gasLimit : null }
      await api.sql`update intents set ${api.sql(columns)} where id = ${intent.id}`
      const node = aScriptedNode(api)
      const simulated = { chainIntentId: intent.chainIntentId, mode: relayModeOfIntent(intent) }
      const found = { gas: 2_000_000n, simulatedAt: performance.now() - ago }
      node.deps.relayer.simulations.keep(simulated, found)
      await relayNext(relayOf(node), node.deps.relayer.accounts[0], relayClass)
      expect((await listAttempts()).map((attempt) => attempt.gasLimit)).toEqual([gasLimit])
      expect(node.deps.relayer.simulations.take(simulated)).toBe(isForeign ? found.gas : null)
    },
  )

  it('given the database fails, then the loop gets the error, and takes nothing', async () => {
    const node = aScriptedNode(api)
    Object.assign(node.deps, { sql: { begin: () => Promise.reject(new Error('no database')) } })
    await expect(signNext(node)).rejects.toThrow('no database')
  })

  /** It reverts on the newest state, and not after the block of a decision. */
  const late: NodeState['simulate'] = ({ blockNumber }) => (blockNumber === undefined ? reverting() : succeeding)
  const unavailable = () => {
    throw new ChainUnavailable('no answer')
  }
  it.each<['open' | 'paid' | 'prepaid', string, Partial<NodeState>, object]>([
    ['open', 'reverts', { simulate: () => reverting() }, { status: 'failed', terminalReason: 'it reverts: Refused' }],
    ['open', 'reverted a moment ago', { simulate: late }, { status: 'recorded', relayTries: 1 }],
    ['open', 'is not answered', { simulate: unavailable }, { status: 'recorded', relayTries: 1 }],
    [
      'prepaid',
      'has a payment that is free again',
      { simulate: () => reverting() },
      { status: 'recorded', relayMode: 'paid', relayTries: 0 },
    ],
    [
      'paid',
      'has ended',
      { timestamp: START + 100n, simulate: unavailable },
      { status: 'failed', terminalReason: 'the authorization expired before the write could act' },
    ],
    [
      'paid',
      'was spent on another call',
      { simulate: () => reverting(), views: { authorizationState: true, spent: true } },
      { status: 'held' },
    ],
    [
      'paid',
      'is of an account with code by now',
      { hasCode: true },
      { status: 'recorded', relayClass: 'foreign', isCovered: true },
    ],
    ['open', 'is of no account', { hasCode: true }, { status: 'broadcast', relayClass: 'plain' }],
  ])('given an %s call that %s, then it goes on as it must', async (mode, _, shown, outcome) => {
    const intent = await aCall(mode)
    expect(await signNext(aScriptedNode(api, shown))).toBe(true)
    expect(await rowOf(intent)).toMatchObject(outcome)
  })

  it.each([
    ['a reorg undid it', { undoneBlock: 8n }, 'recorded'],
    ['its transaction reverted', { txHash: `0x${'7'.repeat(64)}` }, 'recorded'],
    ['it was never sent', {}, 'broadcast'],
  ])(
    'given earlier writes are to be mined again and %s, then it waits only where it must',
    async (_, columns, status) => {
      const earlier = await aCall()
      await api.sql`update intents set status = 'broadcast', undone_block = 0 where id = ${earlier.id}`
      const intent = await aCall()
      if (Object.keys(columns).length > 0) await api.sql`update intents set ${api.sql(columns)} where id = ${intent.id}`
      await signNext(aScriptedNode(api))
      const row = await rowOf(intent)
      expect(row.status).toBe(status)
      if (status === 'recorded') expect(row.seconds).toBeGreaterThan(0)
    },
  )
})

/** Signs a call as the outbox does. */
async function signed(intent: Promise<BoundIntent>, signedAgo = 0) {
  const bound = await intent
  await signNext(aScriptedNode(api))
  await api.sql`update attempts set created_at = now() - make_interval(secs => ${signedAgo})`
  const [attempt] = await listAttempts()
  return { intent: bound, hash: attempt?.hash ?? expect.fail('not signed') }
}

function relayLog({ chainIntentId }: BoundIntent, transactionHash: Hex) {
  const call = { intentId: chainIntentId, actor: zeroAddress, selector: '0x12345678', paymentNonce: zeroHash }
  const args = { ...call, amount: 0n, escrowAmount: 0n }
  return toLog({ abi, address: api.deps.deployment.forwarder, name: 'IntentRelayed', args }, 0, { transactionHash })
}

describe('a call on its way', () => {
  it('given none is, then nothing is looked at', async () => {
    await aCall()
    expect(await watchBroadcast(relayOf(aScriptedNode(api)))).toBe(0)
  })

  it('given its receipt and event, then it is complete with its result', async () => {
    const { intent, hash } = await signed(aCall())
    const node = aScriptedNode(api, { receipts: { [hash]: { logs: [relayLog(intent, hash)] } } })
    expect(await watchBroadcast(relayOf(node))).toBe(1)
    expect(await rowOf(intent)).toMatchObject({
      status: 'completed',
      txHash: hash,
      blockNumber: 9n,
      result: { isDone: true },
    })
  })

  const acted: Hex = `0x${'ac'.repeat(32)}`
  /** The node shows this call in the block of a transaction. */
  const inBlock = (intent: BoundIntent, transactionHash: Hex) => ({ blockLogs: [relayLog(intent, transactionHash)] })
  const ownBytes = (intent: BoundIntent) => transactionOfIntent(intent as never, api.deps.deployment)
  const otherBytes = { to: zeroAddress, data: '0x12345678' } as const
  it.each<[string, (intent: BoundIntent, hash: Hex) => Partial<NodeState>, object, (hash: Hex) => Hex]>([
    [
      'its transaction acted, and its receipt says so',
      (intent, hash) => ({ receipts: { [hash]: { blockNumber: 8n, logs: [relayLog(intent, hash)] } } }),
      { status: 'completed', blockNumber: 8n },
      (hash) => hash,
    ],
    [
      'its transaction acted, and no receipt is known',
      inBlock,
      { status: 'completed', blockNumber: 1n },
      (hash) => hash,
    ],
    [
      'its transaction acted, and the node gives no receipt',
      (intent, hash) => ({ ...inBlock(intent, hash), receipts: { [hash]: 'unavailable' } }),
      { status: 'completed', blockNumber: 1n },
      (hash) => hash,
    ],
    [
      'its transaction acted, and its receipt says that it reverted',
      (intent, hash) => ({ ...inBlock(intent, hash), receipts: { [hash]: { succeeded: false } } }),
      { status: 'completed', blockNumber: 1n },
      (hash) => hash,
    ],
    [
      'another transaction made the call, though one of its own has a receipt',
      (intent, hash) => ({
        ...inBlock(intent, acted),
        receipts: { [hash]: { logs: [relayLog(intent, hash)] } },
        transactions: { [acted]: ownBytes(intent) },
      }),
      { status: 'completed', txHash: acted, blockNumber: 1n },
      () => acted,
    ],
    [
      'another transaction made the call, which its block does not show',
      (intent, hash) => ({ ...inBlock(intent, hash), transactions: { [acted]: ownBytes(intent) } }),
      { status: 'broadcast' },
      () => acted,
    ],
    [
      'another transaction made another call',
      (intent) => ({ ...inBlock(intent, acted), transactions: { [acted]: otherBytes } }),
      { status: 'broadcast' },
      () => acted,
    ],
    [
      'another transaction made a call that the node does not show',
      (intent) => inBlock(intent, acted),
      { status: 'broadcast' },
      () => acted,
    ],
  ])('given the indexer shows that %s, then that is its outcome', async (_, show, outcome, actedIn) => {
    const { intent, hash } = await signed(aCall())
    const call = {
      intentId: intent.chainIntentId,
      actor: zeroAddress,
      selector: '0x12345678',
      paymentNonce: zeroHash,
    } as const
    const amounts = { amount: 0n, escrowAmount: 0n, prepaid: false }
    await insertRow(api.sql, 'relayedIntent', { ...call, ...amounts, ...aPosition(), transactionHash: actedIn(hash) })
    await watchBroadcast(relayOf(aScriptedNode(api, show(intent, hash))))
    expect(await rowOf(intent)).toMatchObject(outcome)
  })

  it('given the forwarder named a transaction of which no row is kept, then its receipt is asked for', async () => {
    const intent = await aCall()
    await api.sql`update intents set status = 'broadcast', tx_hash = ${acted} where id = ${intent.id}`
    await watchBroadcast(relayOf(aScriptedNode(api, { receipts: { [acted]: { logs: [relayLog(intent, acted)] } } })))
    expect(await rowOf(intent)).toMatchObject({ status: 'completed', txHash: acted })
  })

  /** The forwarder and its logs show the call in a transaction. */
  const relayedBy = (intent: BoundIntent, hash: Hex): Partial<NodeState> => ({
    ...inBlock(intent, hash),
    views: { relayed: true },
    logs: { IntentRelayed: [relayLog(intent, hash)] },
    transactions: { [hash]: ownBytes(intent) },
  })
  const otherBlock: Hex = `0x${'0b'.repeat(32)}`
  it.each<[string, (intent: BoundIntent, hash: Hex) => Partial<NodeState>, object]>([
    [
      'reverted',
      (_, hash) => ({ receipts: { [hash]: { succeeded: false } } }),
      { status: 'failed', blockNumber: 9n, txHash: expect.any(String) },
    ],
    [
      'reverted, where the forwarder shows that it acted',
      (intent, hash) => ({ ...relayedBy(intent, hash), receipts: { [hash]: { succeeded: false } } }),
      { status: 'completed', blockNumber: 9n, result: { isDone: true } },
    ],
    [
      'reverted, where the forwarder shows that another one acted',
      (intent, hash) => ({ ...relayedBy(intent, acted), receipts: { [hash]: { succeeded: false } } }),
      { status: 'broadcast', txHash: acted, result: null },
    ],
    ['succeeded without its event', (_, hash) => ({ receipts: { [hash]: {} } }), { status: 'broadcast' }],
    [
      'succeeded with the event of another intent',
      (intent, hash) => ({ receipts: { [hash]: { logs: [relayLog({ ...intent, chainIntentId: zeroHash }, hash)] } } }),
      { status: 'broadcast' },
    ],
    [
      'is in a block that is not at its height',
      (intent, hash) => ({ receipts: { [hash]: { blockHash: otherBlock, logs: [relayLog(intent, hash)] } } }),
      { status: 'broadcast' },
    ],
    [
      'is in the block of the head, which is another one',
      (intent, hash) => ({
        number: 9n,
        hash: otherBlock,
        blockHashOf: () => otherBlock,
        receipts: { [hash]: { logs: [relayLog(intent, hash)] } },
      }),
      { status: 'broadcast' },
    ],
    [
      'is in the block of the head',
      (intent, hash) => ({
        number: 9n,
        blockHashOf: () => null,
        receipts: { [hash]: { logs: [relayLog(intent, hash)] } },
      }),
      { status: 'completed', blockNumber: 9n },
    ],
    ['is not answered about', (_, hash) => ({ receipts: { [hash]: 'unavailable' } }), { status: 'broadcast' }],
  ])('given its transaction %s, then it is settled or looked at again', async (_, show, outcome) => {
    const { intent, hash } = await signed(aCall())
    await watchBroadcast(relayOf(aScriptedNode(api, show(intent, hash))))
    expect(await rowOf(intent)).toMatchObject(outcome)
  })

  it('given a cancellation took its nonce and it can act, then it is relayed anew', async () => {
    const { intent, hash } = await signed(aCall())
    await api.sql`update attempts set purpose = 'cancellation'`
    await watchBroadcast(relayOf(aScriptedNode(api, { receipts: { [hash]: {} } })))
    expect(await rowOf(intent)).toMatchObject({ status: 'recorded', relayMode: 'open', blockNumber: null })
  })

  const dearer = { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n }
  it.each<[string, number, Partial<NodeState>, string[], string]>([
    ['a moment ago', 3, { fees: dearer }, ['call'], 'broadcast'],
    ['long ago, and fees are higher', 21, { fees: dearer }, ['call', 'call'], 'broadcast'],
    ['long ago, and it would revert', 21, { simulate: () => reverting() }, ['call', 'cancellation'], 'broadcast'],
    ['long ago, and its nonce went to another', 21, { minedNonce: 1n }, ['call'], 'recorded'],
    ['a moment ago, and its nonce went to another', 3, { minedNonce: 1n }, ['call'], 'broadcast'],
  ])('given it is not mined and was signed %s, then it is kept going', async (_, ago, shown, purposes, status) => {
    const { intent, hash } = await signed(aCall(), ago)
    const node = aScriptedNode(api, shown)
    await watchBroadcast(relayOf(node))
    const attempts = await listAttempts()
    expect(attempts.map(({ purpose }) => purpose)).toEqual(purposes)
    const newest = attempts.at(-1)
    expect(node.sent).toEqual(purposes.length === 2 ? [newest?.raw] : [])
    expect(await rowOf(intent)).toMatchObject({ status, txHash: newest?.purpose === 'call' ? newest.hash : hash })
  })
})
