import { Argument, type Command } from 'commander'
import { consentText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import type { Account } from '../account/account.ts'
import type { Client } from '../create-client.ts'
import { consentShape } from '../http/command-shapes.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { confirm } from './confirm.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { printRecord } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'

const PATH = '/api/wallet/consent'

const WARNING =
  'The service takes every payment of this wallet as its act, also one that another shop got from a stock x402 client ' +
  'and presents here, once consent is off.'

/**
 * Adds the command `wallet consent`, which shows or changes the wallet's consent setting at the service. While the
 * setting is on, the service accepts a payment for a write only if the wallet's signature names the paid HTTP request.
 * The wallet's first paid write by this client turns the setting on.
 */
export function addConsentCommand(wallet: Command, io: Io): void {
  wallet
    .command('consent')
    .description('whether payments must name their request: off for a stock x402 client, which names none')
    .addArgument(new Argument('<switch>', 'show, on or off').choices(['show', 'on', 'off']))
    .action(async (to: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const client = await openClient(io, options, { needsAccount: true })
      const { account } = client.context
      if (account === null) throw new CliError('There is no wallet.', exits.usage)
      if (to === 'off') await confirm(io, options, WARNING)
      const consentRecord =
        to === 'show' ? await show(client, account) : await switchTo(client, { account, isRequired: to === 'on' })
      printRecord(io, consentRecord, { json: options.json })
    })
}

async function show({ http, context }: Client, { address }: Account) {
  const url = `${context.url}${PATH}`
  const answer = await http.GET(PATH, { params: { query: { address } } })
  const { required } = dataOf(answer, { url, shape: consentShape, refused: 'Consent cannot be read.' })
  return { walletAddress: address, required }
}

async function switchTo({ http, context }: Client, { account, isRequired }: { account: Account; isRequired: boolean }) {
  const timestamp = await context.signingTime()
  const message = toSignedMessage(
    SERVICE_NAME,
    consentText(context.deployment, { wallet: account.address, isRequired, timestamp }),
  )
  const answer = await http.POST(PATH, {
    body: {
      walletAddress: account.address,
      required: isRequired,
      timestamp,
      signature: await account.signMessage({ message }),
    },
  })
  return dataOf(answer, { url: `${context.url}${PATH}`, shape: consentShape, refused: 'Consent was not switched.' })
}
