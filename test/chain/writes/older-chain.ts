import { type Address, concatHex, encodeFunctionData, type Hex } from 'viem'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { installStandIns } from '../../../scripts/contracts/local-chain.ts'
import { foundationsOf, localNetwork } from '../../../scripts/contracts/network.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'

/**
 * A chain that is older than our contracts, to be forked: USDC and the registries stand behind proxies, as on Base, and
 * agents have registered.
 * @param elders who registered, the first as agent 0
 */
export async function startOlderChain(elders: readonly Address[]): Promise<Anvil> {
  const anvil = await startAnvil()
  try {
    await installStandIns(anvil.url)
    const { usdc, identityRegistry, reputationRegistry } = foundationsOf(localNetwork)
    const proxied = [usdc, identityRegistry, reputationRegistry]
    for (const [index, address] of proxied.entries()) await putBehindProxy(anvil, address, index)
    for (const elder of elders) await register(anvil, elder)
    return anvil
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** The code moves to an address of its own; in its place is a proxy that delegates every call (ERC-1167). */
async function putBehindProxy(anvil: Anvil, address: Address, index: number): Promise<void> {
  const implementation: Address = `0x${'1e'.repeat(19)}${String(index).padStart(2, '0')}`
  const code = (await anvil.request('eth_getCode', [address, 'latest'])) as Hex
  await anvil.request('anvil_setCode', [implementation, code])
  const proxy = concatHex(['0x363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3'])
  await anvil.request('anvil_setCode', [address, proxy])
}

async function register(anvil: Anvil, owner: Address): Promise<void> {
  await anvil.request('anvil_setBalance', [owner, '0xde0b6b3a7640000'])
  await anvil.request('anvil_impersonateAccount', [owner])
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'register', args: [] })
  const call = { from: owner, to: foundationsOf(localNetwork).identityRegistry, data }
  const hash = (await anvil.request('eth_sendTransaction', [call])) as Hex
  const { status } = await untilMined(anvil.request, hash)
  if (status !== '0x1') throw new Error(`${owner} could not register`)
}
