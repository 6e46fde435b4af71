import type { Command } from 'commander'
import type { components } from '../api/openapi.ts'
import { legalBundleShape, legalChallengeShape, legalReceiptShape, legalStatusShape } from '../http/command-shapes.ts'
import { acceptanceText } from '../legal/acceptance-text.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { saveReceipt } from './legal-receipts.ts'
import { printRecord } from './report.ts'
import { homeOf, openClient } from './session.ts'
import type { Options } from './task-writes.ts'
import { cleanText } from './text.ts'

type Bundle = components['schemas']['LegalBundle']

/** Adds `legal ...`, the commands that show the service's policies and accept them for this wallet. */
export function addLegalCommands(program: Command, io: Io): void {
  const legal = program.command('legal').description('the policies of the service, and their acceptance')
  legal
    .command('show')
    .description('the current policies: where their texts are, and the digest of all')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options)
      const url = `${context.url}/api/legal/current`
      const data = dataOf(await http.GET('/api/legal/current'), {
        url,
        shape: legalBundleShape,
        refused: 'They cannot be read:',
      })
      printRecord(io, data, { json: options.json })
    })
  legal
    .command('status')
    .description('whether this wallet has accepted them here')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options, { needsAccount: true })
      const receipt = context.legalReceipt
      const headers = receipt === null ? {} : { 'X-Service-Legal-Receipt': receipt }
      const url = `${context.url}/api/legal/status`
      const data = dataOf(await http.GET('/api/legal/status', { headers }), {
        url,
        shape: legalStatusShape,
        refused: 'It cannot be read:',
      })
      const { receipt: _secret, ...publicFields } = data
      printRecord(io, publicFields, { json: options.json })
    })
  legal
    .command('accept')
    .description('sign that this wallet accepts them; the receipt is kept for its writes')
    .option('--bundle <digest>', 'the digest of what was read: instead of the question')
    .action((_: Options, self: Command) => accept(io, self.optsWithGlobals()))
}

async function accept(io: Io, options: Options): Promise<void> {
  const { http, context } = await openClient(io, options, { needsAccount: true })
  const { account, url } = context
  if (account === null) throw new CliError('There is no wallet.', exits.usage)
  const walletAddress = account.address
  const challenge = dataOf(await http.POST('/api/legal/challenge', { body: { walletAddress } }), {
    url: `${url}/api/legal/challenge`,
    shape: legalChallengeShape,
    refused: 'They cannot be accepted now:',
  })
  const { bundle, nonce } = challenge
  const message = acceptanceText(challenge, walletAddress)
  if (message !== challenge.message) {
    throw new CliError(
      'The service offers another text than that of an acceptance; nothing was signed.',
      exits.forbidden,
    )
  }
  await agree(io, bundle, options.bundle)
  const acceptance = await http.POST('/api/legal/accept/wallet', {
    body: {
      walletAddress,
      nonce,
      signature: await account.signMessage({ message }),
      bundleVersion: bundle.version,
      bundleDigest: bundle.bundleDigest,
      agreedToTerms: true,
      agreedToAcceptableUse: true,
      acknowledgedRisk: true,
      receivedPrivacyNotice: true,
    },
  })
  const { receipt, ...publicFields } = dataOf(acceptance, {
    url: `${url}/api/legal/accept/wallet`,
    shape: legalReceiptShape,
    refused: 'The acceptance was refused:',
  })
  const file = await saveReceipt(homeOf(io), { wallet: walletAddress, url, receipt })
  printRecord(io, { ...publicFields, receiptFile: file }, { json: options.json })
}

/**
 * Requires the user's acceptance of the policies. The user accepts by passing `agreedDigest`, which must be the digest
 * of the current policies. If `agreedDigest` is undefined, the user is asked at the terminal.
 * @throws CliError when the user does not accept, or when `agreedDigest` is not the digest of the current policies
 */
async function agree(io: Io, bundle: Bundle, agreedDigest: string | undefined): Promise<void> {
  const { bundleDigest, documents, acceptanceStatement } = bundle
  if (agreedDigest === bundleDigest) return
  if (agreedDigest !== undefined)
    throw new CliError(`The current policies are ${bundleDigest}; nothing was signed.`, exits.usage)
  const lines = documents.map(({ title, version, url }) => `${title} (${version}): ${url}`)
  if (io.isTerminal) io.err(`${[...lines, '', acceptanceStatement].map(cleanText).join('\n')}\n`)
  const answer = await io.ask('Do you accept? [y/N] ', false)
  if (answer === null) {
    throw new CliError('Read `task-market legal show`, and name its digest: --bundle. Nothing was signed.', exits.usage)
  }
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Not accepted; nothing was signed.', exits.forbidden)
}
