import { type Address, encodeEventTopics, encodeFunctionData, type Hex, type Log, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { Chain } from '../../../api/chain/chain.ts'
import type { Deployment } from '../../../api/chain/deployment.ts'
import { decodeWithdrawal, findWithdrawn } from '../../../api/payments/bonus-withdrawal.ts'
import { decodeSwitch } from '../../../api/payments/bound-only-switch.ts'
import { findSubmissionUse, isMadeBy, type Submission } from '../../../api/payments/submission-use.ts'
import { decodeClaim } from '../../../api/payments/vault-claim.ts'
import { type ContractEvent, toLog } from '../../support/contract-log.ts'
import { aFakeChain } from '../../support/fake-chain.ts'

/** Letters in each address: the logs of a node have a checksum's capitals, the service's own addresses none. */
const [usdc, forwarder, target, owner, receiver, stranger] = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address, Address]
const nonce: Hex = `0x${'07'.repeat(32)}`
const otherHash: Hex = `0x${'08'.repeat(32)}`
const taskId: Hex = `0x${'09'.repeat(32)}`
const txHash: Hex = `0x${'77'.repeat(32)}`
const FROM_BLOCK = 5n
const deployment = { usdc, forwarder } as Deployment

/** One kind of signed call: what its contract logs, and the answer to the question whether it is used. */
interface Kind {
  submission: Submission
  events: ContractEvent[]
  /** Read from the contract: unused, and used. */
  answers: { read: [functionName: string, args: unknown[]]; unused: unknown; used: unknown }
  /** Changes of the first event that make it another call of the same owner; `elsewhere`: of another owner or contract. */
  others: Record<string, unknown>[]
  elsewhere: Partial<ContractEvent>[]
}

const switchOf: Kind = {
  submission: {
    kind: 'switch',
    target: forwarder,
    calldata: encodeFunctionData({
      abi: paymentForwarderAbi,
      functionName: 'setBoundOnlyFor',
      args: [owner, true, 4n, 99n, '0x11'],
    }),
  },
  events: [
    {
      abi: paymentForwarderAbi,
      address: forwarder,
      name: 'BoundOnlySet',
      args: { wallet: owner, on: true, counter: 5n },
    },
  ],
  answers: { read: ['boundOnlyCounter', [owner]], unused: 4n, used: 5n },
  others: [{ on: false }],
  elsewhere: [{ address: stranger }],
}
const claim = {
  vaultId: zeroHash,
  epoch: 1n,
  allocationId: zeroHash,
  taskId,
  index: 2n,
  worker: owner,
  destination: receiver,
  amount: 50n,
  nonce: 3n,
  deadline: 99n,
}
const totals = { available: 0n, reserved: 0n, owed: 0n, fees: 0n, feeCredit: 0n }
const claimOf: Kind = {
  submission: {
    kind: 'claim',
    target,
    calldata: encodeFunctionData({ abi: sponsoredVaultAbi, functionName: 'claimTo', args: [claim, [], '0x11'] }),
  },
  events: [{ abi: sponsoredVaultAbi, address: target, name: 'Claimed', args: { ...claim, paid: 50n, totals } }],
  answers: { read: ['nonceOf', [owner]], unused: 3n, used: 4n },
  others: [{ taskId: otherHash }, { index: 1n }, { amount: 49n }, { destination: stranger }, { worker: stranger }],
  elsewhere: [{ address: stranger }],
}
const withdrawalOf: Kind = {
  submission: {
    kind: 'claim',
    target,
    calldata: encodeFunctionData({
      abi: bonusHookAbi,
      functionName: 'withdrawFor',
      args: [owner, receiver, nonce, 99n, '0x11'],
    }),
  },
  events: [
    {
      abi: bonusHookAbi,
      address: target,
      name: 'BonusWithdrawn',
      args: { account: owner, destination: receiver, amount: 50n, nonce },
    },
  ],
  answers: { read: ['isNonceUsed', [owner, nonce]], unused: false, used: true },
  others: [{ destination: stranger }],
  elsewhere: [],
}
const transferOf: Kind = {
  submission: {
    kind: 'transfer',
    target: usdc,
    calldata: encodeFunctionData({
      abi: usdcAbi,
      functionName: 'transferWithAuthorization',
      args: [owner, receiver, 50n, 0n, 99n, nonce, '0x11'],
    }),
  },
  events: [
    { abi: usdcAbi, address: usdc, name: 'Transfer', args: { from: owner, to: receiver, value: 50n } },
    { abi: usdcAbi, address: usdc, name: 'AuthorizationUsed', args: { authorizer: owner, nonce } },
  ],
  answers: { read: ['authorizationState', [owner, nonce]], unused: false, used: true },
  others: [{ to: stranger }, { value: 49n }, { from: stranger }],
  elsewhere: [{ address: stranger }],
}

/** The last event first, as USDC logs the authorization before its transfer. */
function logsOf({ events }: Kind, changes: Partial<ContractEvent> = {}): Log<bigint, number, false>[] {
  const changed = events.map((event, index) => (index === 0 ? { ...event, ...changes } : event))
  return changed.toReversed().map((event, index) => toLog(event, index + 3, { transactionHash: txHash }))
}

function withArgs({ events: [first] }: Kind, args: Record<string, unknown>): Partial<ContractEvent> {
  return { args: { ...first?.args, ...args } }
}

/** A node that answers as the contracts do, and shows these logs. */
function aChain({ submission, answers }: Kind, logs: Log<bigint, number, false>[], answer: unknown): Chain {
  return {
    ...aFakeChain(1n),
    readContract: (async ({ address, functionName, args, blockNumber }: Record<string, unknown>) => {
      expect([address, functionName, args, blockNumber]).toEqual([submission.target, ...answers.read, 8n])
      return answer
    }) as Chain['readContract'],
    getLogs: async ({ address, event, args, fromBlock }) => {
      expect([address, fromBlock]).toEqual([submission.target, FROM_BLOCK])
      expect(Object.values(args)[0]).toBe(owner)
      // A node filters by indexed fields alone, and ignores a name that the event does not have.
      const indexedFields = event.inputs.flatMap(({ indexed, name }) => (indexed ? [name] : []))
      expect(indexedFields).toEqual(expect.arrayContaining(Object.keys(args)))
      const topic = encodeEventTopics({ abi: [event], eventName: event.name } as never)[0]
      return logs.filter((log) => log.topics[0] === topic)
    },
    getTransactionReceipt: (async () => ({
      hash: txHash,
      blockNumber: 9n,
      blockHash: zeroHash,
      succeeded: true,
      gasWei: 1n,
      logs,
    })) as Chain['getTransactionReceipt'],
  }
}

function useOf(kind: Kind, logs: Log<bigint, number, false>[], answer: unknown) {
  const at = { fromBlock: FROM_BLOCK, blockNumber: 8n }
  return findSubmissionUse({ chain: aChain(kind, logs, answer), deployment }, kind.submission, at)
}

describe.each([
  ['switch', switchOf],
  ['claim', claimOf],
  ['withdrawal of tokens', withdrawalOf],
  ['transfer', transferOf],
])('a signed %s', (_, kind) => {
  const { submission, answers, others, elsewhere } = kind

  test('given its own log, then it was made, in that transaction', async () => {
    expect(isMadeBy(logsOf(kind), submission, deployment)).toBe(true)
    expect(await useOf(kind, logsOf(kind), answers.used)).toEqual({ use: 'made', hash: txHash, blockNumber: 9n })
  })

  test('given that the contract has not taken it, then it is unused', async () => {
    expect(await useOf(kind, [], answers.unused)).toEqual({ use: 'unused' })
  })

  test('given a used nonce without a log, then the node does not show where', async () => {
    expect(isMadeBy([], submission, deployment)).toBe(false)
    expect(await useOf(kind, [], answers.used)).toEqual({ use: 'unseen' })
  })

  test.each(others)('given a log with %o instead, then its nonce was used otherwise', async (args) => {
    const logs = logsOf(kind, withArgs(kind, args))
    expect(isMadeBy(logs, submission, deployment)).toBe(false)
    expect(await useOf(kind, logs, answers.used)).toEqual({ use: 'otherwise' })
  })

  test.each(elsewhere)('given the same log with %o, then it was not made', (changes) => {
    expect(isMadeBy(logsOf(kind, changes), submission, deployment)).toBe(false)
  })
})

test('given a log of another nonce of the same owner, then none of them was made', async () => {
  for (const [kind, args] of [
    [switchOf, { counter: 6n }],
    [claimOf, { nonce: 4n }],
    [withdrawalOf, { nonce: otherHash }],
  ] as const) {
    const logs = logsOf(kind, withArgs(kind, args))
    expect(isMadeBy(logs, kind.submission, deployment)).toBe(false)
    expect(await useOf(kind, logs, kind.answers.used)).toEqual({ use: 'unseen' })
  }
})

test('given a switch of another wallet, then it was not made', () => {
  expect(isMadeBy(logsOf(switchOf, withArgs(switchOf, { wallet: stranger })), switchOf.submission, deployment)).toBe(
    false,
  )
})

test('given a withdrawal of another account or programme, then nothing was withdrawn by this signature', () => {
  const place = { programme: target, withdrawal: { account: owner, destination: receiver, nonce } }
  expect(findWithdrawn(logsOf(withdrawalOf), place)).toBe(50n)
  expect(findWithdrawn(logsOf(withdrawalOf, { address: stranger }), place)).toBeNull()
  expect(findWithdrawn(logsOf(withdrawalOf, withArgs(withdrawalOf, { account: stranger })), place)).toBeNull()
})

test('given a transfer that is not in the log after the authorization, then it is not counted for it', () => {
  const [used, transfer] = logsOf(transferOf)
  if (used === undefined || transfer === undefined) throw new Error('two logs were made')
  expect(isMadeBy([used, { ...transfer, logIndex: used.logIndex + 2 }], transferOf.submission, deployment)).toBe(false)
  const ofStranger = toLog(
    { abi: usdcAbi, address: usdc, name: 'AuthorizationUsed', args: { authorizer: stranger, nonce } },
    3,
  )
  expect(isMadeBy([ofStranger, transfer], transferOf.submission, deployment)).toBe(false)
  const ofOther = toLog(
    { abi: usdcAbi, address: usdc, name: 'AuthorizationUsed', args: { authorizer: owner, nonce: otherHash } },
    3,
  )
  expect(isMadeBy([ofOther, transfer], transferOf.submission, deployment)).toBe(false)
})

test('given a cancelled authorization, then the transfer is cancelled', async () => {
  const cancelled = toLog(
    { abi: usdcAbi, address: usdc, name: 'AuthorizationCanceled', args: { authorizer: owner, nonce } },
    3,
  )
  expect(await useOf(transferOf, [cancelled], true)).toEqual({ use: 'cancelled' })
})

test('given calldata of another function, then it is a fault, and names it', () => {
  const pause = encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'spent', args: [owner, nonce] })
  expect(() => decodeSwitch(pause)).toThrow('a forwarder’s spent is no switch')
  const nonceOf = encodeFunctionData({ abi: sponsoredVaultAbi, functionName: 'nonceOf', args: [owner] })
  expect(() => decodeClaim(nonceOf)).toThrow('a vault’s nonceOf is no claim')
  const isUsed = encodeFunctionData({ abi: bonusHookAbi, functionName: 'isNonceUsed', args: [owner, nonce] })
  expect(() => decodeWithdrawal(isUsed)).toThrow('a programme’s isNonceUsed is no withdrawal')
})
