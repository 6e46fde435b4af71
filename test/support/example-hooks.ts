import { type Abi, type Address, encodeDeployData, type Hex } from 'viem'
import { readArtifact } from '../../scripts/contracts/artifacts.ts'
import { runForge } from '../../scripts/contracts/forge.ts'
import { untilMined } from '../../scripts/contracts/until-mined.ts'
import type { ChainView } from './conformance-chain.ts'

/** Deploys one of the example hooks, with an unused owner; returns its address, lower case. */
export async function deployExampleHook(
  chain: Pick<ChainView, 'request' | 'deployment'>,
  name: 'AllowListHook' | 'RequiredTagHook',
  args: readonly unknown[],
): Promise<Address> {
  const { exitCode, output } = await runForge(['build', `examples/${name}.sol`])
  if (exitCode !== 0) throw new Error(`forge build failed\n${output}`)
  const { abi, bytecode } = readArtifact(name)
  const data = encodeDeployData({
    abi: abi as Abi,
    bytecode: bytecode.object,
    args: [chain.deployment.market, ...args],
  })
  const [from] = (await chain.request('eth_accounts')) as Address[]
  const hash = (await chain.request('eth_sendTransaction', [{ from, data }])) as Hex
  const { status, contractAddress } = await untilMined(chain.request, hash)
  if (status !== '0x1' || contractAddress === null) throw new Error(`${name} was not deployed`)
  return contractAddress.toLowerCase() as Address
}
