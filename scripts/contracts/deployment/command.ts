import { compileContracts } from '../compile.ts'
import { chooseSigner, refuseKeyOfEnvironment } from '../signers/choose-signer.ts'
import { check } from './check-command.ts'
import type { CommandIo } from './command-io.ts'
import { type DeployWords, readOptions } from './options.ts'
import { findFiles, openPlace, type Place } from './place.ts'
import { choose, isOwnedBy, prepare } from './prepare.ts'
import { toOmissions, toPlanText } from './print-plan.ts'
import { deploy } from './run-command.ts'
import { verify } from './verify-command.ts'

/**
 * Runs `npm run deploy` with its command-line words.
 * @returns the exit code; 1 if something differs or a contract is not verified
 * @throws Error that states the next step
 */
export async function runDeploy(arguments_: readonly string[], io: CommandIo): Promise<number> {
  const words = readOptions(arguments_)
  refuseKeyOfEnvironment(words, io.env.DEPLOYER_KEY)
  const files = findFiles(words)
  if (await compileContracts()) io.say('contracts compiled')
  if (words.mode === 'verify') return verify(words, io)
  const place = await openPlace(files, { isLocal: words.local })
  if (words.mode === 'check') return check(place, words, io)
  if (words.mode === 'dry-run') return dryRun(place, words, io)
  return deploy(place, words, io)
}

async function dryRun(place: Place, words: DeployWords, { env, say }: CommandIo): Promise<number> {
  const signer =
    words.local || words.keystore !== undefined || words.ledger ? await chooseSigner(words, env.DEPLOYER_KEY) : null
  const choice = choose(place, words, { signer, isDry: true })
  const { outlook } = await prepare(place, words, { chosen: choice, say })
  say(`${toPlanText(outlook)}\n`)
  const isOwned = isOwnedBy(outlook.forwarderOwner, choice.setup.owner)
  say(toOmissions(outlook.plan, { isOwned, isRegistered: place.record?.serviceAgentId !== undefined }).join('\n'))
  say('\nA dry run: nothing was sent, and no file was written.')
  return 0
}
