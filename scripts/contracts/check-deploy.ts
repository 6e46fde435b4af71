import {
  type Address,
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
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { withAnvil } from './anvil.ts'
import { connect, type DeployClient } from './chain.ts'
import { type Deployment, deployAll, mintLocalUsdc } from './deploy.ts'

/** The first account of anvil's public test mnemonic. */
const anvilKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const reward = 5_000_000n

/**
 * Deploys to a fresh anvil twice and creates a task with a signed payment, through the generated ABIs.
 * @returns what is wrong, empty when nothing is
 */
export function findDeployProblems(): Promise<string[]> {
  return withAnvil(async (rpcUrl) => {
    const deployer = privateKeyToAccount(anvilKey).address
    const feeRecipient = privateKeyToAccount(generatePrivateKey()).address
    const options = { rpcUrl, deployer: anvilKey, local: true, relayers: [deployer], owner: deployer, feeRecipient }
    const first = await deployAll(options)
    const client = await connect(rpcUrl, anvilKey)
    const blockBefore = await client.getBlockNumber({ cacheTime: 0 })
    const second = await deployAll(options)
    const problems: string[] = []
    if (JSON.stringify(first) !== JSON.stringify(second)) problems.push('a second deployment gave other addresses')
    if ((await client.getBlockNumber({ cacheTime: 0 })) !== blockBefore)
      problems.push('a second deployment sent something')
    return [...problems, ...(await checkPaidTask(client, first)), ...(await checkMulticall(rpcUrl, first))]
  })
}

async function checkPaidTask(client: DeployClient, deployment: Deployment): Promise<string[]> {
  const { forwarder, market, usdc } = deployment
  const payer = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(client.chain.rpcUrls.default.http[0] ?? '', payer.address, reward)
  const authorization = await authorizationOf(client, payer.address)
  const signature = await payer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: client.chain.id, verifyingContract: usdc },
    types: { TransferWithAuthorization: authorizationFields },
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization, to: forwarder },
  })
  const marketContract = { address: market, abi: taskMarketAbi } as const
  const taskId = await client.readContract({ ...marketContract, functionName: 'nextTaskId', args: [payer.address] })
  const hash = await client.writeContract({
    address: forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayPaid',
    args: [keccak256(toHex('intent')), authorization, signature, reward, market, createTaskData()],
  })
  const receipt = await client.waitForTransactionReceipt({ hash })
  const task = await client.readContract({ ...marketContract, functionName: 'getTask', args: [taskId] })
  const held = await client.readContract({ address: usdc, abi: usdcAbi, functionName: 'balanceOf', args: [market] })
  const problems: string[] = []
  if (receipt.status !== 'success') problems.push('the relayed creation reverted')
  if (!isAddressEqual(task.requester, payer.address)) problems.push('the payer is not the requester')
  if (task.escrow !== reward || held !== reward) problems.push('the reward is not in escrow')
  return problems
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

const authorizationFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

async function authorizationOf(client: DeployClient, from: Address) {
  const { timestamp } = await client.getBlock()
  return { from, value: reward, validAfter: 0n, validBefore: timestamp + 300n, nonce: keccak256(from) }
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
