import { type Hex, parseTransaction, zeroAddress, zeroHash } from 'viem'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_HOOK_GAS } from '../../../api/intents/hook-gas.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { relayModeOfIntent, transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { relayNext } from '../../../api/relayer/loops/relay-next.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aStartedApi, openSequences } from '../writes/started-api.ts'
import { aPayment, insertRelay, relayLog } from './payments.ts'
import { aScriptedNode, type NodeState, reverting, type ScriptedNode, succeeding, unanswered } from './scripted-node.ts'

const api = aStartedApi({}, openSequences)
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

function aCall(mode: 'open' | 'paid' | 'prepaid' = 'open'): Promise<BoundIntent> {
  if (mode === 'open') return bindIntent(api)
  return bindIntent(api, { relay: { mode, payment: aPayment() } })
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
      receipts[txHash] = { logs: [logOf(intent, txHash)] }
      await watchBroadcast(relayOf(node))
      const [gas] = await api.sql`select used_wei from service.gas_accounts where name = ${account}`
      expect(gas).toEqual({ usedWei: relayClass === 'foreign' ? 7n : 10n })
      const sent = ['after-sign', 'after-send', 'after-answer']
      expect(reached).toEqual([...sent, 'after-mined', 'before-complete-commit', 'after-complete'])
    },
  )

  it.each([
    ['it is plain', 'plain', 2_500_000n],
    ['it runs code of another account', 'foreign', 2_400_000n],
  ] as const)(
    'given it was simulated for its caller a moment ago and %s, then its gas is kept or found again',
    async (_, relayClass, gasLimit) => {
      const intent = await aCall()
      const isForeign = relayClass === 'foreign'
      const columns = { relayClass, gasLimit: isForeign ? gasLimit : null }
      await api.sql`update intents set ${api.sql(columns)} where id = ${intent.id}`
      const node = aScriptedNode(api)
      const simulated = { chainIntentId: intent.chainIntentId, mode: relayModeOfIntent(intent) }
      const found = { gas: 2_000_000n, simulatedAt: performance.now() }
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
  it.each<['open' | 'paid' | 'prepaid', string, Partial<NodeState>, object]>([
    ['open', 'reverts', { simulate: () => reverting() }, { status: 'failed', terminalReason: 'it reverts: Refused' }],
    ['open', 'reverted a moment ago', { simulate: late }, { status: 'recorded', relayTries: 1 }],
    ['open', 'is not answered', { simulate: unanswered }, { status: 'recorded', relayTries: 1 }],
    [
      'prepaid',
      'has a payment that is free again',
      { simulate: () => reverting() },
      { status: 'recorded', relayMode: 'paid', relayTries: 0 },
    ],
    [
      'paid',
      'has ended',
      { timestamp: START + 100n, simulate: unanswered },
      { status: 'failed', terminalReason: 'the authorization expired before the write could act' },
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
    ['no limit', null, 0n],
    ['a limit, because it calls hooks', 5_000_000n, DEFAULT_HOOK_GAS],
  ])(
    'given a call of an account with code that was bound with %s, then its gas limit covers what it may call',
    async (_, gasLimit, hookGas) => {
      const intent = await aCall('paid')
      await api.sql`update intents set ${api.sql({ gasLimit })} where id = ${intent.id}`
      await signNext(aScriptedNode(api, { hasCode: true }))
      const [row] = await api.sql`select relay_class, gas_limit from intents where id = ${intent.id}`
      expect(row).toEqual({ relayClass: 'foreign', gasLimit: BigInt(api.deps.config.FOREIGN_GAS) + hookGas })
    },
  )

  const usedUp = 'the gas that this service spends on code of other accounts was used up: send it directly'
  it.each([
    ['has just been recorded', 0, { status: 'recorded', relayTries: 1, terminalReason: null }],
    ['has waited for almost ten minutes', 590, { status: 'recorded', relayTries: 1, terminalReason: null }],
    ['has waited for ten minutes', 600, { status: 'failed', terminalReason: usedUp }],
  ])('given a foreign call that no gas account can pay for and that %s, then it waits or ends', async (_, age, row) => {
    const intent = await aCall()
    await api.sql`
      update intents set relay_class = 'foreign', gas_limit = 1000000, status_at = now() - make_interval(secs => ${age})
      where id = ${intent.id}`
    const fees = { maxFeePerGas: 10n ** 18n, maxPriorityFeePerGas: 1n }
    await relayNext(relayOf(aScriptedNode(api, { fees })), api.deps.relayer.accounts[0], 'foreign')
    expect(await rowOf(intent)).toMatchObject(row)
    expect(await listAttempts()).toEqual([])
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

const logOf = ({ chainIntentId }: BoundIntent, hash: Hex) => relayLog(api, { intentId: chainIntentId }, hash)

describe('a call on its way', () => {
  it('given none is, then nothing is looked at', async () => {
    await aCall()
    expect(await watchBroadcast(relayOf(aScriptedNode(api)))).toBe(0)
  })

  const acted: Hex = `0x${'ac'.repeat(32)}`
  /** The node shows this call in the block of a transaction. */
  const inBlock = (intent: BoundIntent, transactionHash: Hex) => ({ blockLogs: [logOf(intent, transactionHash)] })
  /** The node shows the receipt of a transaction with this call. */
  const received = (intent: BoundIntent, hash: Hex, changes: object = {}) => ({
    receipts: { [hash]: { logs: [logOf(intent, hash)], ...changes } },
  })
  const reverted = (hash: Hex) => ({ receipts: { [hash]: { succeeded: false } } })
  const ownBytes = (intent: BoundIntent) => transactionOfIntent(intent as never, api.deps.deployment)
  const otherBytes = { to: zeroAddress, data: '0x12345678' } as const
  const [completed, onItsWay] = [{ status: 'completed', blockNumber: 1n }, { status: 'broadcast' }]
  it.each<[string, (intent: BoundIntent, hash: Hex) => Partial<NodeState>, object, isOther?: true]>([
    [
      'its transaction acted, and its receipt says so',
      (intent, hash) => received(intent, hash, { blockNumber: 8n }),
      { status: 'completed', blockNumber: 8n },
    ],
    ['its transaction acted, and no receipt is known', inBlock, completed],
    [
      'its transaction acted, and the node gives no receipt',
      (intent, hash) => ({ ...inBlock(intent, hash), receipts: { [hash]: 'unavailable' } }),
      completed,
    ],
    [
      'its transaction acted, and its receipt says that it reverted',
      (intent, hash) => ({ ...inBlock(intent, hash), ...reverted(hash) }),
      completed,
    ],
    [
      'another transaction made the call, though one of its own has a receipt',
      (intent, hash) => ({
        ...inBlock(intent, acted),
        ...received(intent, hash),
        transactions: { [acted]: ownBytes(intent) },
      }),
      { ...completed, txHash: acted },
      true,
    ],
    [
      'another transaction made the call, which its block does not show',
      (intent, hash) => ({ ...inBlock(intent, hash), transactions: { [acted]: ownBytes(intent) } }),
      onItsWay,
      true,
    ],
    [
      'another transaction made another call',
      (intent) => ({ ...inBlock(intent, acted), transactions: { [acted]: otherBytes } }),
      onItsWay,
      true,
    ],
    ['another transaction made a call that the node does not show', (intent) => inBlock(intent, acted), onItsWay, true],
  ])('given the indexer shows that %s, then that is its outcome', async (_, show, outcome, isOther) => {
    const { intent, hash } = await signed(aCall())
    await insertRelay(api, { intentId: intent.chainIntentId }, isOther ? acted : hash)
    await watchBroadcast(relayOf(aScriptedNode(api, show(intent, hash))))
    expect(await rowOf(intent)).toMatchObject(outcome)
  })

  it('given the forwarder named a transaction of which no row is kept, then its receipt is asked for', async () => {
    const intent = await aCall()
    await api.sql`update intents set status = 'broadcast', tx_hash = ${acted} where id = ${intent.id}`
    await watchBroadcast(relayOf(aScriptedNode(api, received(intent, acted))))
    expect(await rowOf(intent)).toMatchObject({ status: 'completed', txHash: acted })
  })

  /** The forwarder and its logs show the call in a transaction. */
  const relayedBy = (intent: BoundIntent, hash: Hex): Partial<NodeState> => ({
    ...inBlock(intent, hash),
    views: { relayed: true },
    logs: { IntentRelayed: [logOf(intent, hash)] },
    transactions: { [hash]: ownBytes(intent) },
  })
  const otherBlock: Hex = `0x${'0b'.repeat(32)}`
  it.each<[string, (intent: BoundIntent, hash: Hex) => Partial<NodeState>, object]>([
    ['succeeded with its event', received, { status: 'completed' }],
    ['reverted', (_, hash) => reverted(hash), { status: 'failed', blockNumber: 9n, txHash: expect.any(String) }],
    [
      'reverted, where the forwarder shows that it acted',
      (intent, hash) => ({ ...relayedBy(intent, hash), ...reverted(hash) }),
      { status: 'completed' },
    ],
    [
      'reverted, where the forwarder shows that another one acted',
      (intent, hash) => ({ ...relayedBy(intent, acted), ...reverted(hash) }),
      { status: 'broadcast', txHash: acted, result: null },
    ],
    ['succeeded without its event', (_, hash) => ({ receipts: { [hash]: {} } }), onItsWay],
    [
      'succeeded with the event of another intent',
      (intent, hash) => received({ ...intent, chainIntentId: zeroHash }, hash),
      onItsWay,
    ],
    [
      'is in a block that is not at its height',
      (intent, hash) => received(intent, hash, { blockHash: otherBlock }),
      onItsWay,
    ],
    [
      'is in the block of the head, which is another one',
      (intent, hash) => ({
        ...received(intent, hash),
        number: 9n,
        hash: otherBlock,
        blockHashOf: () => otherBlock,
      }),
      onItsWay,
    ],
    [
      'is in the block of the head',
      (intent, hash) => ({ ...received(intent, hash), number: 9n, blockHashOf: () => null }),
      { status: 'completed' },
    ],
    ['is not answered about', (_, hash) => ({ receipts: { [hash]: 'unavailable' } }), onItsWay],
  ])('given its transaction %s, then it is settled or looked at again', async (_, show, outcome) => {
    const { intent, hash } = await signed(aCall())
    expect(await watchBroadcast(relayOf(aScriptedNode(api, show(intent, hash))))).toBe(1)
    const row = await rowOf(intent)
    expect(row).toMatchObject(outcome)
    if (row.status === 'completed')
      expect(row).toMatchObject({ txHash: hash, blockNumber: 9n, result: { isDone: true } })
  })

  it('given a cancellation took its nonce and it can act, then it is relayed anew', async () => {
    const { intent, hash } = await signed(aCall())
    await api.sql`update attempts set purpose = 'cancellation'`
    await watchBroadcast(relayOf(aScriptedNode(api, { receipts: { [hash]: {} } })))
    expect(await rowOf(intent)).toMatchObject({ status: 'recorded', relayMode: 'open', blockNumber: null })
  })

  const dearer = { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n }
  it.each<[string, number, Partial<NodeState>, string[], string]>([
    ['long ago, and fees are higher', 21, { fees: dearer }, ['call', 'call'], 'broadcast'],
    ['long ago, and it would revert', 21, { simulate: () => reverting() }, ['call', 'cancellation'], 'broadcast'],
    ['long ago, and its nonce went to another', 21, { minedNonce: 1n }, ['call'], 'recorded'],
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

  it('given another transaction used its nonce, then the key is reported as used elsewhere, once', async () => {
    await signed(aCall(), 21)
    const node = aScriptedNode(api, { minedNonce: 1n })
    const relayerSeen = vi.spyOn(node.deps.observe.metrics, 'relayerSeen')
    await watchBroadcast(relayOf(node))
    await watchBroadcast(relayOf(node))
    const { address: relayer } = node.deps.relayer.accounts[0]
    expect(relayerSeen.mock.calls.filter(([{ isUsedElsewhere }]) => isUsedElsewhere)).toEqual([
      [{ relayer, isUsedElsewhere: true }],
    ])
    relayerSeen.mockRestore()
  })

  it.each([true, false])(
    'given its transaction was mined (success: %s), then its gas is counted once',
    async (succeeded) => {
      const { intent, hash } = await signed(aCall())
      const node = aScriptedNode(api, succeeded ? received(intent, hash) : reverted(hash))
      const gasPaid = vi.spyOn(node.deps.observe.metrics, 'gasPaid')
      await watchBroadcast(relayOf(node))
      await watchBroadcast(relayOf(node))
      expect(gasPaid.mock.calls).toEqual([[{ relayClass: 'plain', succeeded, wei: 7n }]])
      gasPaid.mockRestore()
    },
  )
})
