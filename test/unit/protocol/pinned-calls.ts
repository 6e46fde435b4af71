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
  programme: `0x${'0b'.repeat(20)}`,
}

const pinnedAwards = uint(2) + account('a1') + uint(3_000_000) + uint(1) + account('b2') + uint(1_000_000) + uint(2)

/** The hash of the manifest of both submissions, which name the same file. */
const manifest = 'ed29d7be33216949877c67ee3ae65a1a1135d75d83deb02ba573400c9dacde53'

/** The signature of the examples as an argument of bytes, its length before it. */
const signature = `${uint(65)}${'5c'.repeat(64)}1b${'00'.repeat(31)}`

/**
 * The call of each operation's example, as the service made it before the table. The bytes never change: a payment can be
 * bound to them.
 */
export const pinnedCalls: Record<OperationName, Hex> = {
  'tasks.create': `0xc269eac7${[
    '0000000000000000000000000000000000000000000000000000000000000020',
    'a81913a500000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '00000000000000000000000000000000000000000000000000000000004c4b40',
    '0000000000000000000000000000000000000000000000000000000000015180',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '9f113c091dea0f40a84e2c486aa4468a07ac44441c8c076d05cef0948932a15f',
    '0000000000000000000000000000000000000000000000000000000000000240',
    '0000000000000000000000000000000000000000000000000000000000000001',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000280',
    '00000000000000000000000000000000000000000000000000000000000002a0',
    '0000000000000000000000000000000000000000000000000000000000000001',
    'dc965630aef7b77780873db5fd5b4679978c7936ed50a24be33fdc5ee53b322e',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
  ].join('')}`,
  'tasks.update': `0x7782bfb7${[
    '9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f',
    '00000000000000000000000000000000000000000000000000000000005b8d80',
    '00000000000000000000000000000000000000000000000000000000713fb300',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '05484a929fd6d39172975ba304501759df5a8a5bb9a6040a1a9fb1476d7cdd2e',
  ].join('')}`,
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
  'submissions.create': `0xdb7260bc${'9f'.repeat(32)}${manifest}`,
  'submissions.createFromKeys': `0xdb7260bc${'9f'.repeat(32)}${manifest}`,
  'claims.create': `0x08975075${'9f'.repeat(32)}${'7e'.repeat(32)}`,
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
  'submissions.reject': `0xef17ce0c${[
    '9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f',
    '0000000000000000000000000000000000000000000000000000000000000040',
    '0000000000000000000000000000000000000000000000000000000000000001',
    '000000000000000000000000a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1',
  ].join('')}`,
  'tasks.object': `0x5c7f844c${'9f'.repeat(32)}`,
  'wallet.pushCredit': `0x7ba1586c${account('a1')}`,
  // https://agent.example/registration.json
  'identity.register': `0xf2c298be${uint(32)}${uint(39)}${[
    '68747470733a2f2f6167656e742e6578616d706c652f72656769737472617469',
    '6f6e2e6a736f6e00000000000000000000000000000000000000000000000000',
  ].join('')}`,
  'identity.adopt': `0x8588b2c5${uint(42)}`,
  'tasks.settleStale': `0x20a894fa${'9f'.repeat(32)}`,
  'pitches.create': `0x1a22aaa4${'9f'.repeat(32)}c0ea4ab65393c2a64aa8065055f6f90e9e9b21f3ccf2b4e3b90cd327b4ac838a`,
  'pitches.select': `0xce37a263${'9f'.repeat(32)}${account('a1')}`,
  'proofs.create': `0x46170ca4${'9f'.repeat(32)}ae96f6c9a5b0e41c76bc84a078cec56df4c107047312ee22f6d25618c92a5fc5${[
    'b68b5f5089998f2978a1dcc681e8ef27962b90d5c26c4c0b9c1945814ffa5ef0',
    uint(42),
  ].join('')}`,
  'wallet.withdraw': `0xcf092995${account('a1')}${account('f6')}${uint(5_000_000)}${uint(0)}${uint(1_795_694_400)}${'7b'.repeat(32)}${uint(224)}${signature}`,
  'wallet.withdrawToken': `0x1b3963f9${account('a1')}${account('f6')}${'7b'.repeat(32)}${uint(1_795_694_400)}${uint(160)}${signature}`,
  'wallet.boundOnly': `0x1c791072${account('a1')}${uint(1)}${uint(0)}${uint(1_795_694_400)}${uint(160)}${signature}`,
  'sponsoredTaskVaults.claim': `0x76c84926${[
    '8c'.repeat(32),
    uint(3),
    '9f'.repeat(32),
    '9f'.repeat(32),
    uint(1),
    account('a1'),
    account('f6'),
    uint(3_000_000_000_000_000_000),
    uint(4),
    uint(1_795_694_400),
    uint(384),
    uint(448),
    uint(1),
    'e7'.repeat(32),
    signature,
  ].join('')}`,
}

/** The escrow of the examples that have some, base units. */
export const pinnedEscrow: Partial<Record<OperationName, bigint>> = {
  'tasks.create': 5_000_000n,
  'tasks.update': 1_000_000n,
  'claims.create': 350_000n,
}
