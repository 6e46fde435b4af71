import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { paymentForwarderAbi as abi } from '../../../abis/payment-forwarder.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { chooseRefundStep } from '../../../api/relayer/transactions/choose-refund-step.ts'
import type { RelayerDeps } from '../../../api/relayer/transactions/relay-context.ts'
import { toLog } from '../../support/contract-log.ts'

const NOW = 1_000n
const account = (byte: string): Address => `0x${byte.repeat(20)}`
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const [payer, relayer, fired] = [account('aa'), account('bb'), account('cc')]
const payment = { from: payer, value: 5n, validAfter: 0n, validBefore: 1n, nonce: word('01'), signature: '0x' as const }

/** The forwarder, as far as a step is chosen by it. */
interface Forwarder {
  left?: bigint
  /** Of this payment, unless the amount is another. */
  announced?: { refundId: Hex; executableFrom: number; relayer?: Address; value?: bigint; isVetoed?: boolean }[]
}

async function stepAt({ left, announced = [] }: Forwarder, refundGasLimit: bigint | null = null) {
  const find = (refundId: unknown) => announced.find((one) => one.refundId === refundId) ?? expect.fail('unknown')
  const chain = {
    latestHead: async () => ({ timestamp: NOW }),
    readContract: async ({ functionName, args: [of] }: { functionName: string; args: unknown[] }) => {
      if (functionName === 'prepaidLeft') return left
      if (functionName === 'relayers') return of !== fired
      return { relayer, ...find(of) }
    },
    getLogs: async ({ event, args }: { event: { name: string }; args: { refundId?: Hex } }) =>
      event.name === 'RefundVetoed' ? (find(args.refundId).isVetoed ? [{}] : []) : announced.map(announcement),
  }
  const deps = { chain, deployment: { forwarder: account('0f'), bound: left !== undefined } }
  const intent = {
    id: word('02'),
    relay: { mode: 'prepaid', payment },
    refundSignature: null,
    refundGasLimit,
    boundAtBlock: 1n,
  }
  return await chooseRefundStep(deps as unknown as RelayerDeps, intent as unknown as BoundIntent)
}

function announcement({
  refundId,
  value = payment.value,
  executableFrom,
}: NonNullable<Forwarder['announced']>[number]) {
  const args = { refundId, payer, nonce: payment.nonce, relayer, value, executableFrom: BigInt(executableFrom) }
  return toLog({ abi, address: account('0f'), name: 'RefundAnnounced', args })
}

const [one, other] = [word('11'), word('12')]
const vetoed = { refundId: one, executableFrom: 0, isVetoed: true }

test.each<[string, Forwarder, object, bigint?]>([
  ['a forwarder without a limit', {}, { step: 'return' }],
  ['all of the payment left', { left: 5n }, { step: 'return' }],
  ['less left', { left: 4n }, { step: 'announce' }],
  [
    'an announcement of another amount',
    { left: 4n, announced: [{ refundId: one, executableFrom: 1, value: 4n }] },
    { step: 'announce' },
  ],
  [
    'an announcement that is due',
    { left: 4n, announced: [{ refundId: one, executableFrom: 1_000 }] },
    { step: 'execute', refundId: one },
  ],
  [
    'one that is not',
    { left: 4n, announced: [{ refundId: one, executableFrom: 1_001 }] },
    { step: 'wait', notBefore: 1_001n, secondsLeft: 1n },
  ],
  [
    'two, then the first that is due',
    {
      left: 4n,
      announced: [
        { refundId: one, executableFrom: 900 },
        { refundId: other, executableFrom: 800 },
      ],
    },
    { step: 'execute', refundId: other },
  ],
  [
    'one of a relayer without its right',
    { left: 4n, announced: [{ refundId: one, executableFrom: 1, relayer: fired }] },
    { step: 'announce' },
  ],
  ['a veto', { left: 4n, announced: [vetoed] }, { step: 'leave', finding: 'the guardian vetoed the announced refund' }],
  ['a veto, and an operator who retries', { left: 4n, announced: [vetoed] }, { step: 'announce' }, 1n],
])('given %s, then the step of a refund follows', async (_name, forwarder, step, refundGasLimit) => {
  expect(await stepAt(forwarder, refundGasLimit)).toEqual(step)
})
