import { expect, test } from 'vitest'
import { writes } from '../../../api/server/routes.ts'
import { fingerprintOf } from '../../../api/writes/stages/fingerprint.ts'
import { completedRequest } from '../../support/parsed-request.ts'

const filled = (byte: string) => `0x${byte.repeat(32)}`
const account = (byte: string) => `0x${byte.repeat(20)}`
const taskId = filled('7a')

/**
 * Fingerprints that idempotency keys are bound to in the database. They never change: a request that is repeated after an
 * upgrade would be refused as another one. Names, units and types of a parsed body are part of its fingerprint.
 */
test.each([
  [
    'createTask',
    {},
    {
      description: 'Name this project',
      tags: ['naming'],
      reward: '2000000',
      duration: 0.5,
      mode: 'pitch',
      pitchDeadline: 60.5,
      hookContracts: [account('A1')],
      hookData: '0xAB',
      evaluator: account('B2'),
      appealWindowHours: 1,
      taskVisibility: 'private',
      accessPassword: 'correct horse',
    },
    '629203463aaab10ebe219775ac278f3507ca122607a10ac497d0f7c99d7d0105',
  ],
  [
    'createTask',
    {},
    {
      description: 'x',
      tags: [],
      reward: '2000000',
      duration: 24,
      mode: 'auction',
      auctionType: 'dutch',
      maxPrice: '2000000',
      auctionFloorPrice: '1000000',
      bidDeadline: 12,
    },
    '7b040ebe3a68b31aad0c563245b7d290d6a3debe76b61f3a6d788498de4e55cd',
  ],
  [
    'updateTask',
    { taskId },
    { taskId, reward: '3000000', expiryTime: 1_900_000_000 },
    'b5c26504d7629af57baad6299fa806fcf656216abbeaea4913034dd28086b074',
  ],
  [
    'createClaim',
    { taskId },
    { taskId, workerAddress: account('A1'), signature: `0x${'11'.repeat(64)}1b` },
    'b2453a09a78c47028cbfdc2c3b3dad34ed7fe5f08c38fbfe3d8edef05e7cbe6e',
  ],
  [
    'createSubmission',
    { taskId },
    {
      taskId,
      workerAddress: account('A1'),
      artifacts: [{ fileName: 'a.txt', mimeType: 'text/plain', file: 'aGk=' }],
      signature: `0x${'11'.repeat(64)}1b`,
    },
    '138f770043641c6c14a7f3a2b3d85d41ac438066af1a8b57200242d3e196c887',
  ],
  [
    'createSubmissionFromKeys',
    { taskId },
    {
      taskId,
      workerAddress: account('A1'),
      artifacts: [
        {
          artifactKey: `${filled('7A')}/6E7C9E52-1b1d-4a4e-9d3c-0f6f3c1b2a90`,
          fileName: 'a.txt',
          mimeType: 'text/plain',
          sizeBytes: 2,
          sha256Hash: 'c4'.repeat(32),
          keccak256Hash: filled('D4'),
        },
      ],
      signature: `0x${'11'.repeat(64)}1b`,
    },
    '33cec0f7fde216b16dacc23a25892e104e8f00586d3091f6eb66a9ff8b3cd038',
  ],
  [
    'createBid',
    { taskId },
    { taskId, price: '1000000' },
    'b7ecade6f953ba5a71dba99426f366aec731b845965d78649d048ae7a4faf968',
  ],
  [
    'acceptSubmissions',
    { taskId },
    { taskId, winners: [{ worker: account('A1'), share: 10_000 }] },
    'ab678629b55fb887b9c71f018a2036474a592e3d65556d0e1e32bce2fd1d262b',
  ],
  [
    'assignEvaluator',
    { taskId },
    { taskId, evaluator: account('B2'), evaluationWindowHours: 2 },
    '5bfd882a1cb728ffadf3cc29d4a92c8a91cb1a7d655d6a6e7f98e59c76550b91',
  ],
  [
    'evaluateTask',
    { taskId },
    { taskId, verdict: 'approve' },
    'efac05a05706f90596956e8a896e5636c2f2c37bafd1435733be8ff849713ec8',
  ],
  [
    'rateWorker',
    { taskId },
    { taskId, worker: account('A1'), rating: 90 },
    'b9e0e3feb324ed59d5f00e6b3ae118dfb85e79de56f8cbba19ed057daec87a59',
  ],
  [
    'withdraw',
    {},
    {
      from: account('A1'),
      amountBaseUnits: '5000000',
      authorization: {
        from: account('A1'),
        to: account('F6'),
        value: '5000000',
        validAfter: '0',
        validBefore: '1795694400',
        nonce: filled('7B'),
      },
      signature: `0x${'5c'.repeat(64)}1b`,
    },
    '0b4dca4e8389f54114032c4b31b3952b11d2c5b8d4305c7561696aeaa82fabab',
  ],
  [
    'withdrawToken',
    {},
    {
      workerAddress: account('A1'),
      destination: account('F6'),
      nonce: filled('7B'),
      validBefore: '1795694400',
      signature: `0x${'5c'.repeat(64)}1b`,
    },
    '2a4fb4c07493a38dd774bc618e8d80179ee16d0ef1092176e9f1cb7862bc3899',
  ],
  [
    'withdrawToken',
    {},
    {
      workerAddress: account('A1'),
      nonce: filled('7B'),
      validBefore: 1_795_694_400,
      signature: `0x${'5c'.repeat(64)}1b`,
    },
    'cda5f5a431d695cb669c9c538735c8236039328b7ef0cff09e34fc01f1d42579',
  ],
  [
    'claimSponsoredReward',
    { vaultId: filled('8C') },
    {
      vaultId: filled('8C'),
      taskId: filled('9f'),
      index: 1,
      workerAddress: account('A1'),
      destination: account('F6'),
      amount: '3000000000000000000',
      nonce: '4',
      deadline: '1795694400',
      signature: `0x${'5c'.repeat(64)}1b`,
      proof: [filled('E7')],
    },
    'dd3e0eba95491d53a34b8cf128f18a8d58cab1c9904e726f70c8505174727989',
  ],
])('given a request of %s, then its fingerprint is the stored one', (operationId, params, body, expected) => {
  const write = writes.find((candidate) => candidate.operationId === operationId)
  if (write === undefined) throw new Error(`${operationId} is no write`)
  expect(
    fingerprintOf(
      write,
      completedRequest(write, { params, body }).asSent,
      'a secret of the tests, long enough',
    ).toString('hex'),
  ).toBe(expected)
})
