import {
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { sponsoredTasksHookAbi } from '../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { withAnvil } from './anvil.ts'
import { attachBonus } from './bonus-admin.ts'
import { defaultBonusSetup } from './bonus-setup.ts'
import { connect, type DeployClient, sendAll } from './chain.ts'
import { findBonusAdminProblems } from './check-bonus-admin.ts'
import { type Deployment, type DeployOptions, deployAll } from './deploy.ts'
import { relayPaid } from './relay-paid.ts'

/** The first account of anvil's public test mnemonic. */
const anvilKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const reward = 5_000_000n

/**
 * Tests the deployment on a fresh anvil: deploys twice, and then creates a task and registers an agent with signed
 * payments. The calls use the generated ABIs.
 * @returns the problems; empty if there are none
 */
export function findDeployProblems(): Promise<string[]> {
  return withAnvil(async (rpcUrl) => {
    const deployer = privateKeyToAccount(anvilKey).address
    const feeRecipient = privateKeyToAccount(generatePrivateKey()).address
    const bonus = { token: 'local', setup: defaultBonusSetup } as const
    const accounts = { deployer: anvilKey, relayers: [deployer], owner: deployer, feeRecipient }
    const options = {
      rpcUrl,
      local: true,
      publicBaseUrl: 'https://market.example',
      ...accounts,
      bonus,
      registerService: true,
    }
    const first = await deployAll(options)
    const client = await connect(rpcUrl, anvilKey)
    const blockBefore = await client.getBlockNumber({ cacheTime: 0 })
    const second = await deployAll(options)
    const problems: string[] = []
    if (first.bound !== true) problems.push('the deployment is not said to take bound payments')
    if (JSON.stringify(first) !== JSON.stringify(second)) problems.push('a second deployment gave other addresses')
    if ((await client.getBlockNumber({ cacheTime: 0 })) !== blockBefore)
      problems.push('a second deployment sent something')
    return [
      ...problems,
      ...(await checkServiceAgent(client, first)),
      ...(await checkPaidTask(client, first)),
      ...(await checkPaidRegistration(client, first)),
      ...(await checkMulticall(rpcUrl, first)),
      ...(await checkVaults(client, first)),
      ...(await checkBonus(client, first)),
      ...(await checkBeforeBound(client, options)),
      ...(await checkUnusableToken(client, { ...options, bonus: { ...bonus, token: first.market } })),
    ]
  })
}

/** Checks that the agent of the service itself has the URI of the service's registration file. */
async function checkServiceAgent(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const uri = await client.readContract({
    address: deployment.identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'tokenURI',
    args: [BigInt(deployment.serviceAgentId ?? -1)],
  })
  const expected = 'https://market.example/.well-known/agent-registration.json'
  return uri === expected ? [] : [`the service's agent points to ${uri}`]
}

/**
 * Checks the old forwarder, which does not know bound payments. It must relay the same paid call as the current one,
 * and its deployment must not have the field `bound`.
 */
async function checkBeforeBound(client: DeployClient, options: DeployOptions): Promise<string[]> {
  const deployment = await deployAll({ ...options, beforeBound: true })
  const problems = await checkPaidTask(client, deployment)
  return deployment.bound === undefined
    ? problems
    : [...problems, 'the forwarder of before is said to take bound payments']
}

/**
 * Checks that a contract without `decimals()` is refused as reward token before anything is sent. @param options with
 * such a contract as reward token
 */
async function checkUnusableToken(client: DeployClient, options: DeployOptions): Promise<string[]> {
  const blockBefore = await client.getBlockNumber({ cacheTime: 0 })
  const refusal = await deployAll(options).then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const problems: string[] = []
  if (!refusal.includes('decimals()')) problems.push(`a reward token without decimals is refused with: ${refusal}`)
  if ((await client.getBlockNumber({ cacheTime: 0 })) !== blockBefore)
    problems.push('a deployment with an unusable reward token sent something')
  return problems
}

async function checkPaidTask(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const { market, usdc } = deployment
  const payer = privateKeyToAccount(generatePrivateKey())
  const marketContract = { address: market, abi: taskMarketAbi } as const
  const taskId = await client.readContract({ ...marketContract, functionName: 'nextTaskId', args: [payer.address] })
  const call = { payer, value: reward, escrow: reward, target: market, data: createTaskData() }
  const receipt = await relayPaid(client, deployment, call)
  const task = await client.readContract({ ...marketContract, functionName: 'getTask', args: [taskId] })
  const heldAmount = await client.readContract({
    address: usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [market],
  })
  const problems: string[] = []
  if (receipt.status !== 'success') problems.push('the relayed creation reverted')
  if (!isAddressEqual(task.requester, payer.address)) problems.push('the payer is not the requester')
  if (task.escrow !== reward || heldAmount !== reward) problems.push('the reward is not in escrow')
  return problems
}

async function checkPaidRegistration(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const { identityRegistrar, identityRegistry } = deployment
  const payer = privateKeyToAccount(generatePrivateKey())
  const registrar = { address: identityRegistrar, abi: identityRegistrarAbi } as const
  const data = encodeFunctionData({ abi: identityRegistrarAbi, functionName: 'register', args: ['ipfs://agent'] })
  const receipt = await relayPaid(client, deployment, {
    payer,
    value: 1000n,
    escrow: 0n,
    target: registrar.address,
    data,
  })
  if (receipt.status !== 'success') return ['the relayed registration reverted']
  const [isRegistered, agentId] = await client.readContract({
    ...registrar,
    functionName: 'agentIdOf',
    args: [payer.address],
  })
  const owner = await client.readContract({
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'ownerOf',
    args: [agentId],
  })
  return isRegistered && isAddressEqual(owner, payer.address) ? [] : ["the registered agent is not the payer's"]
}

/**
 * Checks that the hook's factory has the address that the deployment states, and that the factory creates vaults of
 * this hook.
 */
async function checkVaults(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const { sponsoredTasksHook: hook, sponsoredVaultFactory: factory, usdc: token } = deployment
  if (hook === undefined || factory === undefined) return ['no hook of sponsored tasks was deployed']
  const factoryOfHook = await client.readContract({
    address: hook,
    abi: sponsoredTasksHookAbi,
    functionName: 'factory',
  })
  if (!isAddressEqual(factoryOfHook, factory))
    return [`the factory of vaults is ${factoryOfHook} instead of ${factory}`]
  const contract = { address: factory, abi: sponsoredVaultFactoryAbi } as const
  const data = encodeFunctionData({ ...contract, functionName: 'createVault', args: [token, zeroHash] })
  await sendAll(client, [{ what: 'a vault', to: factory, data }])
  const args = [client.account.address, token, zeroHash] as const
  const vaultId = await client.readContract({ ...contract, functionName: 'vaultIdOf', args })
  const vault = await client.readContract({ ...contract, functionName: 'vaultOf', args: [vaultId] })
  const [hookOfVault, tokenOfVault] = await Promise.all(
    (['hook', 'token'] as const).map((functionName) =>
      client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName }),
    ),
  )
  const isRight = isAddressEqual(hookOfVault ?? zeroAddress, hook) && isAddressEqual(tokenOfVault ?? zeroAddress, token)
  return isRight ? [] : ['a vault has another hook or token']
}

/**
 * Checks the bonus programme. After the market's owner has made it a default hook, it must record the next requester.
 * Likely mistakes of its owner must be refused (`findBonusAdminProblems`).
 */
async function checkBonus(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const { market, bonusHook, rewardToken: token } = deployment
  if (bonusHook === undefined || token === undefined) return ['no programme was deployed']
  await attachBonus(client, market, bonusHook)
  const payer = privateKeyToAccount(generatePrivateKey())
  const call = { payer, value: reward, escrow: reward, target: market, data: createTaskData() }
  const receipt = await relayPaid(client, deployment, call)
  const contract = { address: bonusHook, abi: bonusHookAbi } as const
  const { firstSeen } = await client.readContract({ ...contract, functionName: 'accountOf', args: [payer.address] })
  const problems: string[] = []
  if (receipt.status !== 'success') problems.push('the creation with a programme reverted')
  if (firstSeen === 0) problems.push('the programme did not see a requester')
  return [...problems, ...(await findBonusAdminProblems(client, { bonusHook, token }))]
}

async function checkMulticall(rpcUrl: string, deployment: Deployment): Promise<string[]> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const contract = { address: deployment.forwarder, abi: paymentForwarderAbi } as const
  const [name, usdc] = await client.multicall({
    contracts: [
      { ...contract, functionName: 'serviceName' },
      { ...contract, functionName: 'usdc' },
    ],
    multicallAddress: deployment.multicall3,
    allowFailure: false,
  })
  return name === 'service' && isAddressEqual(usdc, deployment.usdc) ? [] : ['the forwarder shows another setup']
}

function createTaskData(): Hex {
  const noEvaluation = {
    evaluator: zeroAddress,
    resolver: zeroAddress,
    feeBps: 0,
    evaluationWindow: 0,
    appealWindow: 0,
  }
  return encodeFunctionData({
    abi: taskMarketAbi,
    functionName: 'createTask',
    args: [
      {
        mode: keccak256(toHex('TMP.mode.bounty')).slice(0, 10) as Hex,
        auctionType: '0x00000000',
        reward,
        duration: 3600,
        pitchDuration: 0,
        bidDuration: 0,
        clockPrice: 0n,
        stakeBps: 0,
        contentHash: zeroHash,
        tags: [],
        listed: true,
        evaluation: noEvaluation,
        hooks: [],
        hookData: '0x',
      },
    ],
  })
}
