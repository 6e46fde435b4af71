import {
  type Address,
  type Client,
  createClient,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  publicActions,
  type Transport,
  zeroAddress,
} from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { readArtifact } from './artifacts.ts'
import { foundationsOf, localNetwork, type Network, readNetwork } from './network.ts'
import { rpcTransport } from './rpc-transport.ts'
import { untilMined } from './until-mined.ts'

/**
 * Account with every role of the local USDC. The account has no key: anvil sends transactions in its name. Therefore
 * its transactions do not use up the nonces of an account with a key.
 */
const usdcAdmin: Address = '0x00000000000000000000000000000000000005dC'

/**
 * The token name that `LocalUsdc` contains in its code. For a network with another name of USDC, `LocalNamedUsdc` is
 * installed.
 */
const USUAL_NAME = 'USD Coin'

const nameAbi = parseAbi(['function setName(string name)'])

/**
 * Installs local versions of USDC, Multicall3 and the ERC-8004 registries, at the addresses that they have on a
 * network. An address that already has code is not changed.
 */
export async function installStandIns(rpcUrl: string, network: Network = localNetwork): Promise<void> {
  const client = createClient({ transport: rpcTransport(rpcUrl) }).extend(publicActions)
  const foundations = foundationsOf(network)
  const { usdc } = network
  const standIns: Record<keyof typeof foundations, string> = {
    usdc: usdc.name === USUAL_NAME ? 'LocalUsdc' : 'LocalNamedUsdc',
    multicall3: 'LocalMulticall3',
    identityRegistry: 'IdentityRegistry',
    reputationRegistry: 'ReputationRegistry',
  }
  await Promise.all(
    Object.entries(standIns).map(async ([key, name]) => {
      const address = foundations[key as keyof typeof foundations]
      if ((await client.getCode({ address })) !== undefined) return
      await callAnvil(client, 'anvil_setCode', [address, codeOf(name, foundations)])
    }),
  )
  const owner = await client.readContract({ address: usdc.address, abi: usdcAbi, functionName: 'owner' })
  if (owner !== zeroAddress) return
  const setUp = [
    ...(usdc.name === USUAL_NAME
      ? []
      : [encodeFunctionData({ abi: nameAbi, functionName: 'setName', args: [usdc.name] })]),
    encodeFunctionData({ abi: usdcAbi, functionName: 'initialize', args: [usdcAdmin] }),
    encodeFunctionData({ abi: usdcAbi, functionName: 'configureMinter', args: [usdcAdmin, maxUint256] }),
  ]
  for (const data of setUp) await callUsdc(client, usdc.address, data)
}

/**
 * Returns the code of a local version of a contract. The code of the reputation registry contains the address of the
 * identity registry on Base. The network's address replaces this address.
 */
function codeOf(name: string, { identityRegistry }: ReturnType<typeof foundationsOf>): Hex {
  const digitsOf = (address: Address) => address.slice(2).toLowerCase()
  const onBase = foundationsOf(readNetwork('base')).identityRegistry
  return readArtifact(name).deployedBytecode.object.replaceAll(digitsOf(onBase), digitsOf(identityRegistry)) as Hex
}

/** Mints USDC for an account on a local chain. @param amount base units */
export async function mintLocalUsdc(rpcUrl: string, to: Address, amount: bigint): Promise<void> {
  const client = createClient({ transport: rpcTransport(rpcUrl) })
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, amount] })
  await callUsdc(client, localNetwork.usdc.address, data)
}

/** Sends a transaction of `usdcAdmin` to USDC. Resolves when the transaction is mined. */
async function callUsdc(client: Client<Transport>, usdc: Address, data: Hex): Promise<void> {
  await callAnvil(client, 'anvil_setBalance', [usdcAdmin, '0xde0b6b3a7640000'])
  await callAnvil(client, 'anvil_impersonateAccount', [usdcAdmin])
  const hash = await callAnvil(client, 'eth_sendTransaction', [{ from: usdcAdmin, to: usdc, data }])
  const { status } = await untilMined((method, params) => callAnvil(client, method, params), hash as Hex)
  if (status !== '0x1') throw new Error(`local USDC refused ${data.slice(0, 10)}`)
}

/** Calls a method that only anvil has. The types of viem's client do not contain such methods. */
function callAnvil(client: Client<Transport>, method: string, params: unknown[]): Promise<unknown> {
  return client.request({ method, params } as Parameters<typeof client.request>[0])
}
