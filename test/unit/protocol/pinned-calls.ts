import type { Hex } from 'viem'
import type { OperationName } from '../../../protocol/derive.ts'
import type { Facts } from '../../../protocol/operation.ts'

/** Fills a word of 32 bytes. */
const word = (byte: string): Hex => `0x${byte.repeat(32)}`

/** A number and an account as arguments, without `0x`. */
const uint = (value: number) => value.toString(16).padStart(64, '0')
const account = (byte: string) => byte.repeat(20).padStart(64, '0')

/** Facts from which the pinned calls are made. */
export const pinnedFacts: Facts = {
  reward: 5_000_000n,
  requester: `0x${'0e'.repeat(20)}`,
  termsHash: word('7e'),
  stake: 350_000n,
  claimRound: 2,
  texts: {
    description: 'Write a haiku.',
    tags: ['poetry'],
    taskVisibility: 'public',
    submissionVisibility: 'public',
    metricDescription: null,
    metricTarget: null,
  },
  deliverables: [word('d1'), word('d3')],
  raterAgentId: 12n,
  workerAgentId: 0n,
  feedbackBase: 'https://market.example/api/feedback/',
  vault: { address: `0x${'0a'.repeat(20)}`, epoch: 3n },
}

const pinnedAwards = uint(2) + account('a1') + uint(3_000_000) + uint(1) + account('b2') + uint(1_000_000) + uint(2)

/**
 * The call of each operation's example, as the service made it before the table. The bytes never change: a payment can be
 * bound to them.
 */
export const pinnedCalls: Record<OperationName, Hex> = {
  'tasks.cancel': `0xee8ca3b5${'9f'.repeat(32)}`,
  'tasks.refundExpired': `0xcc3e049b${'9f'.repeat(32)}`,
  'tasks.accept': `0x3ea17c12${'9f'.repeat(32)}${'00'.repeat(12)}${'a1'.repeat(20)}${'d1'.repeat(32)}`,
  'tasks.acceptSubmissions': `0x670579ef${'9f'.repeat(32)}${'40'.padStart(64, '0')}${'02'.padStart(64, '0')}${[
    `${'00'.repeat(12)}${'a1'.repeat(20)}${'1b58'.padStart(64, '0')}${'d1'.repeat(32)}`,
    `${'00'.repeat(12)}${'b2'.repeat(20)}${'0bb8'.padStart(64, '0')}${'d3'.repeat(32)}`,
  ].join('')}`,
  'tasks.rate': `0xd9065013${[
    '0000000000000000000000000000000000000000000000000000000000000020',
    '9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f',
    '000000000000000000000000a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1',
    '000000000000000000000000000000000000000000000000000000000000005a',
    '000000000000000000000000000000000000000000000000000000000000000c',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000001',
    '0000000000000000000000000000000000000000000000000000000000000100',
    'd6f3fbb776e69bfa95d3362073d342c105a3791f2a6c80d9a298b6de7aa45f46',
    '0000000000000000000000000000000000000000000000000000000000000066',
    '68747470733a2f2f6d61726b65742e6578616d706c652f6170692f6665656462',
    '61636b2f30786331383164336564323537376631376534373330383861616438',
    '3161646634396135323537653834386236353936336533646431663636616535',
    '3139616161610000000000000000000000000000000000000000000000000000',
  ].join('')}`,
  'bids.create': `0x1598b3af${'9f'.repeat(32)}${uint(4_000_000)}`,
  'bids.accept': `0xa575ff88${'9f'.repeat(32)}${uint(3_500_000)}`,
  'bids.selectWinner': `0x537da21f${'9f'.repeat(32)}`,
  'tasks.forfeit': `0xafdc54cd${'9f'.repeat(32)}`,
  'tasks.assignEvaluator': `0x97e6f124${'9f'.repeat(32)}${account('c3')}${account('d4')}${uint(500)}${uint(172_800)}${uint(1_800)}`,
  'tasks.evaluate': `0xd76da6ba${'9f'.repeat(32)}${uint(3)}${uint(900)}${uint(800)}${'e5'.repeat(32)}${uint(192)}${pinnedAwards}`,
  'tasks.appeal': `0xece1de44${'9f'.repeat(32)}`,
  'tasks.resolveDispute': `0x95cddad5${'9f'.repeat(32)}${uint(1)}${uint(96)}${pinnedAwards}`,
  'tasks.finalizeVerdict': `0xd15c11c8${'9f'.repeat(32)}`,
  'tasks.evaluatorTimeout': `0xa05e1635${'9f'.repeat(32)}`,
  'tasks.settleStale': `0x20a894fa${'9f'.repeat(32)}`,
  'pitches.create': `0x1a22aaa4${'9f'.repeat(32)}c0ea4ab65393c2a64aa8065055f6f90e9e9b21f3ccf2b4e3b90cd327b4ac838a`,
  'pitches.select': `0xce37a263${'9f'.repeat(32)}${account('a1')}`,
  'proofs.create': `0x46170ca4${'9f'.repeat(32)}ae96f6c9a5b0e41c76bc84a078cec56df4c107047312ee22f6d25618c92a5fc5${[
    'b68b5f5089998f2978a1dcc681e8ef27962b90d5c26c4c0b9c1945814ffa5ef0',
    uint(42),
  ].join('')}`,
}
