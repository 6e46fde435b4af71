import { type Abi, decodeFunctionData, encodeFunctionData, getAddress, type Hex, keccak256, stringToBytes } from 'viem'
import { expect, test } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { operations as operationNames } from '../../../api/intents/operations.ts'
import { type ActionName, actionNames } from '../../../protocol/actions.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
import { encodeCall, normalise, type OperationName } from '../../../protocol/derive.ts'
import { operations } from '../../../protocol/operations.ts'
import { mintIdentity, reconcileVault, settleVault } from '../../../protocol/own-operations.ts'
import vectors from '../../../protocol/vectors/vectors.json' with { type: 'json' }
import { callContext as context } from './call-context.ts'

const account = (byte: string) => `0x${byte.repeat(20)}` as const
const { deployment, facts: pinnedFacts } = context
/** The call of each operation. The bytes never change: a payment can be bound to them. */
const pinnedCalls = vectors.calls.rows

/** The contract that a function of an operation belongs to. */
function contractOf(name: OperationName): { target: string; abi: Abi } {
  if (operations[name].kind === 'market') return { target: deployment.market, abi: taskMarketAbi }
  const others = [
    { target: deployment.identityRegistrar, abi: identityRegistrarAbi },
    { target: deployment.usdc, abi: usdcAbi },
    { target: deployment.forwarder, abi: paymentForwarderAbi },
    { target: pinnedFacts.programme, abi: bonusHookAbi },
    { target: pinnedFacts.vault.address, abi: sponsoredVaultAbi },
  ]
  const has = (abi: Abi) => abi.some((item) => item.type === 'function' && item.name === operations[name].functionName)
  return others.find(({ abi }) => has(abi)) ?? expect.fail(name)
}

test.each(Object.keys(catalogue) as OperationName[])(
  'given the request of %s, then its call is the pinned one',
  (name) => {
    const { request, data, escrow } = pinnedCalls[name]
    const { target, abi } = contractOf(name)
    const call = encodeCall(name, normalise(name, request as never), context)
    expect(call).toEqual({ target, data, escrowAmount: BigInt(escrow) })
    // The compiled contract has the function that the table calls.
    const { functionName, args } = decodeFunctionData({ abi, data: call.data })
    expect(functionName).toBe(operations[name].functionName)
    expect(encodeFunctionData({ abi, functionName, args } as never)).toBe(call.data)
  },
)

test.each(Object.keys(catalogue) as OperationName[])(
  'given the example of %s with its hex in lower case, then its input is the same and has fields of the request alone',
  (name) => {
    const { example } = catalogue[name]
    const input = normalise(name, example)
    const lowerCase = JSON.stringify(example).replace(/"0x[0-9a-fA-F]*"/g, (hex) => hex.toLowerCase())
    expect(normalise(name, JSON.parse(lowerCase))).toEqual(input)
    const fields = Object.entries(input).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    expect(Object.keys(example)).toEqual(expect.arrayContaining(fields))
    expect(operationNames).toContain(name)
  },
)

test('each pending action is taken by one operation', () => {
  const entries: readonly { action?: ActionName }[] = Object.values(operations)
  const actions = entries.flatMap(({ action }) => action ?? [])
  expect(actions.sort()).toEqual([...actionNames].sort())
})

test('a mint names the wallet alone', () => {
  const { target, data } = mintIdentity.call({ wallet: account('a1') }, deployment)
  expect(target).toBe(deployment.identityRegistrar)
  expect(decodeFunctionData({ abi: identityRegistrarAbi, data })).toEqual({
    functionName: 'registerFor',
    args: [getAddress(account('a1'))],
  })
})

test.each([
  [settleVault, 'installSettlement'],
  [reconcileVault, 'reconcile'],
] as const)('given awards, then a vault learns of them in their order: $1', ({ call }, functionName) => {
  const taskId = catalogue['tasks.cancel'].example.taskId as Hex
  const awards = { taskId, workers: [account('b2'), account('a1')], amounts: [5n, 7n] }
  const { target, data } = call(awards, deployment)
  expect(target).toBe(deployment.sponsoredTasksHook)
  expect(decodeFunctionData({ abi: sponsoredTasksHookAbi, data })).toEqual({
    functionName,
    args: [taskId, awards.workers.map((worker) => getAddress(worker)), awards.amounts],
  })
  const { sponsoredTasksHook: _, ...withoutVaults } = deployment
  expect(() => call(awards, withoutVaults)).toThrow('sponsoredTasksHook')
})

test('given a file without its hashes, then no call is made', () => {
  const { example } = catalogue['submissions.create']
  const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain' }]
  const input = normalise('submissions.create', { ...example, artifacts })
  expect(() => encodeCall('submissions.create', input, context)).toThrow('file 0')
})

test('given a split, then the named submission is kept, and fewer deliverables than winners make no call', () => {
  const { example } = catalogue['tasks.acceptSubmissions']
  const input = normalise('tasks.acceptSubmissions', example)
  expect(input.winners).toMatchObject(example.winners.map(({ worker: _, ...winner }) => winner))
  const facts = { ...pinnedFacts, deliverables: [] }
  expect(() => encodeCall('tasks.acceptSubmissions', input, { ...context, facts })).toThrow('winner 1')
})

test.each([
  [undefined, 0n],
  [4_999_999n, 0n],
  [5_000_000n, 0n],
  [5_000_007n, 7n],
  [2n ** 72n, 2n ** 72n - 5_000_000n],
])(
  'given an update to the reward %s, then it costs the fee and its growth of %s, which becomes escrow',
  (reward, escrow) => {
    const input = { ...normalise('tasks.update', catalogue['tasks.update'].example), reward }
    expect(operations['tasks.update'].price.of(input, pinnedFacts)).toEqual({ fee: 1000n, escrow })
  },
)

test('given an auction without a least price, then no call is made', () => {
  const input = normalise('bids.accept', { taskId: catalogue['bids.accept'].example.taskId })
  expect(() => encodeCall('bids.accept', input, context)).toThrow('least price')
})

test('given a withdrawal of tokens without a destination, then no call is made', () => {
  const { destination: _, ...example } = catalogue['wallet.withdrawToken'].example
  const input = normalise('wallet.withdrawToken', example)
  expect(() => encodeCall('wallet.withdrawToken', input, context)).toThrow('destination')
})

test('given the examples of calls that their owner signs, then messages, ids and ends are the pinned ones', () => {
  const withdrawal = normalise('wallet.withdraw', catalogue['wallet.withdraw'].example)
  const { ownerSigned: ofTransfer } = operations['wallet.withdraw']
  const typedData = {
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: getAddress(deployment.usdc) },
    primaryType: 'TransferWithAuthorization',
    message: withdrawal.authorization,
  }
  expect(ofTransfer.message(withdrawal, context)).toMatchObject({ typedData })
  expect(ofTransfer.id(withdrawal, context)).toBe(`0x${'7b'.repeat(32)}`)

  const tokens = normalise('wallet.withdrawToken', catalogue['wallet.withdrawToken'].example)
  const { ownerSigned: ofTokens } = operations['wallet.withdrawToken']
  expect(ofTokens.message(tokens, context)).toEqual({
    text: `withdraw-token:0x${'f6'.repeat(20)}:0x${'7b'.repeat(32)}:1795694400`,
  })
  expect(ofTokens.id(tokens, context)).toBe(`0x${'7b'.repeat(32)}`)

  const boundOnly = normalise('wallet.boundOnly', catalogue['wallet.boundOnly'].example)
  const { ownerSigned: ofSwitch } = operations['wallet.boundOnly']
  const text = `bound-only:on:8453:${deployment.forwarder}:0x${'a1'.repeat(20)}:0:1795694400`
  expect(ofSwitch.message(boundOnly, { ...context, facts: {} })).toEqual({ text })
  expect(ofSwitch.id(boundOnly, { ...context, facts: {} })).toBe(keccak256(stringToBytes(text)))

  const claim = normalise('sponsoredTaskVaults.claim', catalogue['sponsoredTaskVaults.claim'].example)
  const { ownerSigned: ofClaim } = operations['sponsoredTaskVaults.claim']
  expect(ofClaim.id(claim, context)).toBe('0x4da88d437c4d925a42558d057255397fcc34bf9a90d7bda97482b22f5d9e25db')
  expect(ofClaim.validBefore(claim)).toBe(1_795_694_401n)
})

test('given withdrawals and claims, then each disposes of the asset that its call moves', () => {
  const decider = { wallet: account('a1') }
  const withdrawal = normalise('wallet.withdraw', catalogue['wallet.withdraw'].example)
  expect(operations['wallet.withdraw'].decides(withdrawal, {}, decider)).toEqual([
    { asset: 'usdc', amount: 5_000_000n },
  ])
  const tokens = normalise('wallet.withdrawToken', catalogue['wallet.withdrawToken'].example)
  expect(operations['wallet.withdrawToken'].decides(tokens, pinnedFacts, decider)).toEqual([
    { asset: 'rewardToken', amount: 'all' },
  ])
  const claim = normalise('sponsoredTaskVaults.claim', catalogue['sponsoredTaskVaults.claim'].example)
  expect(operations['sponsoredTaskVaults.claim'].decides(claim, pinnedFacts, decider)).toEqual([
    { asset: 'vaultToken', vaultId: `0x${'8c'.repeat(32)}`, amount: 3_000_000_000_000_000_000n },
  ])
})

test('given a choice of the winner, then it disposes of the reward of the requester alone', () => {
  const input = normalise('bids.selectWinner', catalogue['bids.selectWinner'].example)
  const { decides } = operations['bids.selectWinner']
  const { requester, reward } = pinnedFacts
  expect(decides(input, pinnedFacts, { wallet: requester })).toEqual([{ asset: 'usdc', amount: reward }])
  expect(decides(input, pinnedFacts, { wallet: account('aa') })).toEqual([])
})
