import { formatEther, type LocalAccount } from 'viem'
import { connect } from '../chain.ts'
import { describeDeployment } from '../deploy.ts'
import { forgetDeployment, recordSetup, writeDeploymentFile } from '../deployment-file.ts'
import { findServiceAgent } from '../register-service.ts'
import { chooseSigner } from '../signers/choose-signer.ts'
import { waitForPending } from '../wait-for-pending.ts'
import type { CommandIo } from './command-io.ts'
import { executePlan, listMissing } from './execute.ts'
import type { DeployWords } from './options.ts'
import type { Place } from './place.ts'
import type { Plan } from './plan.ts'
import { choose, findForwarderOwner, isOwnedBy, prepare } from './prepare.ts'
import { type Outlook, toOmissions, toPlanText } from './print-plan.ts'
import type { RecordedSetup } from './recorded-setup.ts'
import { readSigned, sendSigned, writeUnsigned } from './unsigned-file.ts'

/**
 * Number of blocks that must confirm a transaction on a public chain. After these blocks, a lagging node or a short
 * reorg causes no error.
 */
const CONFIRMATIONS = 5
/**
 * Maximum number of transactions that are pending at the same time. Nodes keep only about sixteen pending transactions
 * of an account.
 */
const AT_ONCE = 10
const PENDING_ADVICE =
  'They may pay too little: run the same command again, or with --replace to send these at a higher price.'

/** Prints the missing steps of a deployment, sends them and records the result. @returns the exit code */
export async function deploy(place: Place, words: DeployWords, { env, say }: CommandIo): Promise<number> {
  const { client, file, networkFile, record } = place
  const signer = await chooseSigner(words, env.DEPLOYER_KEY)
  const choice = choose(place, words, { signer, isDry: false })
  const { deployer } = choice.setup
  if (!words.replace) await waitForPending(client, { account: deployer, advice: PENDING_ADVICE, say })
  const { plan, missing, outlook } = await prepare(place, words, { chosen: choice, say })
  say(toPlanText(outlook))
  const isSending = missing.length > 0 && words.unsigned === undefined && words.send === undefined
  if (isSending) requireFunded(signer, outlook)
  if (words.new && record !== null) forgetDeployment(file)
  recordSetup(file, networkFile, choice.setup)
  if (words.unsigned !== undefined) {
    const count = await writeUnsigned(client, { file: words.unsigned, deployer, estimate: outlook.estimate })
    say(
      `\n${count} unsigned transactions are in ${words.unsigned}, for ${deployer} to sign in this order. Send them with --send FILE ` +
        '(a list of the signed ones) or any other way, then run this command again: it continues after those that are mined.',
    )
    return 0
  }
  if (words.send !== undefined) {
    await sendSigned(client, await readSigned(client, plan, { file: words.send, deployer }), say)
  } else if (isSending && signer !== null) {
    await send(place, words, { signer, plan, say })
  }
  return finish(place, words, { plan, setup: choice.setup, say })
}

/**
 * Refuses to start if no account can sign or the account has too little ether. This check runs before the setup is
 * recorded.
 */
function requireFunded(signer: LocalAccount | null, { estimate, balance }: Outlook): void {
  if (signer === null) {
    throw new Error(
      'Name what signs: --keystore FILE, --ledger, or --unsigned FILE to sign elsewhere. Nothing was sent.',
    )
  }
  if (balance === null || balance >= estimate.atMost) return
  throw new Error(
    `${signer.address} has ${formatEther(balance)} ETH, and the transactions can cost ${formatEther(estimate.atMost)}: send it ` +
      `${formatEther(estimate.atMost - balance)} ETH and run the same command again. Nothing was sent.`,
  )
}

async function send(
  { client, rpcUrl }: Place,
  words: DeployWords,
  { signer, plan, say }: { signer: LocalAccount; plan: Plan; say: (line: string) => void },
): Promise<void> {
  say('')
  const replacement = words.replace ? await replacementFees(client) : undefined
  const fees = words.fees ?? replacement
  await executePlan(await connect(rpcUrl, signer), plan, {
    say,
    replace: words.replace,
    ...(!words.local && { atOnce: AT_ONCE }),
    confirmations: words.confirmations ?? (words.local ? 1 : CONFIRMATIONS),
    ...(fees && { fees }),
  })
}

/**
 * Returns twice the current gas price. Nodes accept a replacement of a transaction only if it pays at least a tenth
 * more than the replaced one.
 */
async function replacementFees(client: Place['client']) {
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
  return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas: maxPriorityFeePerGas * 2n }
}

/** Checks that the chain has all steps of the plan, and then writes the deployment file. */
async function finish(
  place: Place,
  words: DeployWords,
  { plan, setup, say }: { plan: Plan; setup: RecordedSetup; say: (line: string) => void },
): Promise<number> {
  const { client, network, file } = place
  const missingSteps = await listMissing(client, plan.steps)
  if (missingSteps.length > 0) {
    const names = missingSteps.map(({ what }) => what).join(', ')
    throw new Error(
      `The chain does not have these steps (yet, or any more after a reorg): ${names}. Run the same command again.`,
    )
  }
  const deployment = await describeDeployment(client, plan)
  const { identityRegistry: registry, startBlock } = deployment
  const { publicBaseUrl, owner } = setup
  const agentId = await findServiceAgent(client, { registry, publicBaseUrl, startBlock, owner })
  await writeDeploymentFile(
    client,
    file,
    {
      ...deployment,
      ...(words.local && { local: true as const }),
      ...(agentId !== null && { serviceAgentId: String(agentId) }),
    },
    { setup, ...(network.rpcUrl !== undefined && !words.local && { rpcUrl: network.rpcUrl }) },
  )
  say(`\nThe deployment is complete, and recorded in ${file}.`)
  const isOwned = isOwnedBy(await findForwarderOwner(place, plan), owner)
  say(toOmissions(plan, { isOwned, isRegistered: agentId !== null }).join('\n'))
  say(
    `To compare the chain with the repository: npm run deploy -- --network ${words.network}${words.local ? ' --local' : ''} --check`,
  )
  return 0
}
