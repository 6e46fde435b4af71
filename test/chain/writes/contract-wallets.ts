import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  type PrivateKeyAccount,
  pad,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import { createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

/**
 * A wallet that takes 65 bytes of one key, and so no envelope: ecrecover of the hash must be the key that the code before
 * EQ puts on the stack.
 */
const walletOf = (key: Hex): Hex =>
  `0x6004355f5260a4355f1a6020526064356040526084356060526020608060805f60015afa50608051${key.slice(2)}1460443560411416631626ba7e60e01b025f5260205ff3`
/** The key in its first slot. */
const KEY_IN_STORAGE: Hex = '0x5f54'
/** The key of the account whose code it is: one that delegates. */
const OWN_KEY: Hex = '0x30'

let stack: TestStack

const aContract = () => privateKeyToAccount(generatePrivateKey()).address

/** Wraps what `account` signs as wallets do of which the chain may not know yet. */
function inEnvelope(signature: Hex): Hex {
  return serializeErc6492Signature({ address: aContract(), data: '0x1234', signature })
}

/** The client of a wallet at `address`, whose key is that of `signer`. */
function clientOf(signer: PrivateKeyAccount, address: Address, wrap = inEnvelope): PayingClient {
  const account: PrivateKeyAccount = {
    ...signer,
    address,
    signMessage: async (message) => wrap(await signer.signMessage(message)),
    signTypedData: async (data) => wrap(await signer.signTypedData(data)),
  }
  return createPayingClient({ baseUrl: stack.baseUrl(), account })
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
      const address = aContract()
      await mintLocalUsdc(stack.anvil.url, address, 2n * REWARD)
      return address
    }

    it('given that it is deployed, then it pays, and is charged once', async () => {
      const address = await aFundedContract()
      await stack.anvil.request('anvil_setCode', [address, walletOf(KEY_IN_STORAGE)])
      await stack.anvil.request('anvil_setStorageAt', [address, pad('0x0'), pad(signer.address)])
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

    it('given that it is not, then the answer says so, and nothing is charged', async () => {
      const address = await aFundedContract()
      const reply = await clientOf(signer, address).pay(createCall())
      expect(reply.status).toBe(402)
      expect(reply.body.service).toMatchObject({ detail: 'wallet_not_deployed' })
      expect(await wallets.balanceOf(address)).toBe(2n * REWARD)
    })

    it.each([
      ['bare', (signature: Hex) => signature],
      ['in an envelope', inEnvelope],
      [
        'bare with v 0 or 1',
        (signature: Hex) => `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex,
      ],
    ])('given an account that delegates (EIP-7702) and signs %s, then it pays', async (_, wrap) => {
      const account = await wallets.funded(2n * REWARD)
      const delegate = aContract()
      await stack.anvil.request('anvil_setCode', [delegate, walletOf(OWN_KEY)])
      const sender = createWalletClient({
        account: privateKeyToAccount(devAccount('resolver').privateKey),
        chain: base,
        transport: http(stack.anvil.url),
      })
      const authorization = await account.signAuthorization({ address: delegate, chainId: base.id, nonce: 0 })
      const hash = await sender.sendTransaction({ to: account.address, authorizationList: [authorization] })
      await untilMined(stack.anvil.request, hash)
      expect(await stack.client.getCode({ address: account.address })).toMatch(/^0xef0100/)
      const created = await clientOf(account, account.address, wrap).pay(createCall())
      expect(created.body).toMatchObject({ success: true })
      expect(await wallets.balanceOf(account.address)).toBe(REWARD)
    })
  })
}
