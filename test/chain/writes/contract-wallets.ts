import type { Address, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { aContractAddress, accountAt, delegate, deployWallet, inEnvelope } from './contract-accounts.ts'
import { createWallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

let stack: TestStack

/** The plain client of a wallet at `address`, whose key is that of `signer`. */
function clientOf(signer: PrivateKeyAccount, address: Address, wrap = inEnvelope): PayingClient {
  return createPayingClient({ baseUrl: stack.baseUrl(), account: accountAt(address, signer, wrap) })
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testContractWallets(stackOf: () => TestStack): void {
  describe('a contract wallet that signs in an envelope of ERC-6492', () => {
    let signer: PrivateKeyAccount
    let wallets: ReturnType<typeof createWallets>
    beforeAll(async () => {
      stack = stackOf()
      wallets = createWallets(stack)
      signer = privateKeyToAccount(generatePrivateKey())
    })

    async function aFundedContract(): Promise<Address> {
      const address = aContractAddress()
      await mintLocalUsdc(stack.anvil.url, address, 2n * REWARD)
      return address
    }

    it('given that it is deployed, then it pays, and is charged once', async () => {
      const address = await aFundedContract()
      await deployWallet(stack, address, signer)
      const client = clientOf(signer, address)
      const created = await client.pay(createCall())
      expect(created.body).toMatchObject({ success: true })
      expect((await client.get(`/tasks/${created.body.taskId}`)).body.requester.toLowerCase()).toBe(
        address.toLowerCase(),
      )
      expect(await wallets.balanceOf(address)).toBe(REWARD)
      // Another key is refused before any effect.
      const foreign = await clientOf(privateKeyToAccount(generatePrivateKey()), address).pay(createCall())
      expect(foreign.status).not.toBe(200)
      expect(await wallets.balanceOf(address)).toBe(REWARD)
    })

    it('given an account that delegates (EIP-7702) and signs without an envelope, then it pays', async () => {
      const account = await wallets.funded(2n * REWARD)
      await delegate(stack, account)
      const created = await clientOf(account, account.address, (signature) => signature).pay(createCall())
      expect(created.body).toMatchObject({ success: true })
      expect(await wallets.balanceOf(account.address)).toBe(REWARD)
    })
  })
}
