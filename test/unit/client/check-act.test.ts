import { encodeErrorResult, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { Account } from '../../../client/src/account/account.ts'
import type { Chain } from '../../../client/src/chain/rpc.ts'
import { checkAct } from '../../../client/src/writes/check-act.ts'

const call = { target: zeroAddress, data: '0x', escrowAmount: 0n } as const
const account: Account = {
  address: zeroAddress,
  signMessage: async () => '0x',
  signTypedData: async () => '0x',
}

/** What a dry run says when the contracts answer its call with this data. */
async function messageFor(revertData: `0x${string}`): Promise<string> {
  const chain = { simulate: async () => ({ ok: false, revertData }) } as unknown as Chain
  return await checkAct({ chain, account }, call).then(
    () => expect.fail('a refused call passes'),
    (error: Error) => error.message,
  )
}

test.each([
  {
    contract: 'the market',
    data: encodeErrorResult({ abi: taskMarketAbi, errorName: 'DeadlineNotReached', args: [1_000n] }),
    words: 'DeadlineNotReached(1000)',
  },
  {
    contract: 'the registrar of identities',
    data: encodeErrorResult({ abi: identityRegistrarAbi, errorName: 'NotAgentOwner', args: [7n, zeroAddress] }),
    words: `NotAgentOwner(7, ${zeroAddress})`,
  },
])('given an error of $contract, then a dry run names it with its values', async ({ data, words }) => {
  expect(await messageFor(data)).toContain(`The contracts would refuse it: ${words}. Nothing was sent.`)
})

test('given an error of another contract, then a dry run shows its bytes', async () => {
  expect(await messageFor('0xdeadbeef')).toContain('0xdeadbeef')
})
