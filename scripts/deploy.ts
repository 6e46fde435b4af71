/**
 * `npm run deploy -- --network <network> [...]`: deploys the contracts to a chain, step by step. It sends only what the
 * chain lacks, so it can be stopped at any time and run again. It records the result in deployments/<chainId>.json.
 * `docs/operate/rehearse-on-base-sepolia.md` shows every step.
 *
 *   npm run deploy -- --network base-sepolia --dry-run    prints each transaction, address, gas and cost; sends nothing
 *   npm run deploy -- --network base-sepolia [setup] --keystore FILE
 *   npm run deploy -- --network base-sepolia --check      compares the chain with the repository; 1 if it differs
 *   npm run deploy -- verify --network base-sepolia       writes the compiler's inputs and submits them
 *
 * --network NAME        base, base-sepolia, a chain id of deployments/, or the path of a deployment file
 * --rpc-url URL         node; default: the public node that the deployment file names
 * --file FILE           deployment file to read and write; default: the file of the network
 * --local               for a local chain of anvil: installs local versions of USDC and the registries, takes the key
 *                       of DEPLOYER_KEY, and records the result in .local/deployments/<chainId>.json
 *
 * The setup. A run first writes the setup into the deployment file, so later runs do not need these options:
 * --owner ADDRESS            owns market and forwarder in the end; it need not be the deployer
 * --fee-recipient ADDRESS    gets the platform fees
 * --public-base-url URL      URL of the service for clients; the registrar derives agent URIs from it for ever
 * --relayer ADDRESS          account that may relay; repeat the option for more accounts
 * --guardian ADDRESS         account that may veto announced refunds; not a relayer
 * --fee-bps N                platform fee, 750 (7.5 %) unless given, 2000 at most
 * --service-name TEXT        first word of signed messages, `service` unless given
 * --reward-token ADDRESS     deploys a programme of token bonuses too, which pays nothing until its owner sets a rate
 * --new                      creates another deployment, which replaces the recorded one in the file. With the same
 *                            deployer and service name it uses the same forwarder, which keeps the old routes
 *
 * The account that signs. A key is never taken from the arguments, and from the environment only on a local chain:
 * --keystore FILE [--password-file FILE]   a keystore of cast or geth; the terminal asks for a missing password
 * --ledger [--derivation-path PATH]        a device, through cast; a person confirms every transaction on it
 * --deployer ADDRESS --unsigned FILE       writes unsigned transactions, to sign them elsewhere
 * --deployer ADDRESS --send FILE           sends signed transactions: a JSON list of hex texts, or one per line
 *
 * --max-fee-gwei N --priority-fee-gwei N   gas prices, instead of the node's
 * --replace             sends transactions of an earlier run that are still pending again, at a higher price
 * --confirmations N     number of blocks that confirm a transaction: 5, on a local chain 1
 *
 * For verify: --out FOLDER (default: .local/verification/<chainId>), --no-submit, --sourcify-url URL,
 * --etherscan-url URL.
 * Sourcify needs no key. Etherscan is used too if ETHERSCAN_API_KEY is set.
 */
import { BaseError } from 'viem'
import { runDeploy } from './contracts/deployment/command.ts'

try {
  const { DEPLOYER_KEY, ETHERSCAN_API_KEY } = process.env
  process.exitCode = await runDeploy(process.argv.slice(2), {
    env: { DEPLOYER_KEY, ETHERSCAN_API_KEY },
    say: console.log,
  })
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

/**
 * Returns the short form of a node's error. The long form contains the request, and a request can be as long as a whole
 * contract.
 */
function explain(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error)
  const details = error.details === '' || error.shortMessage.includes(error.details) ? '' : ` (${error.details})`
  return `${error.shortMessage}${details}\nWhat was done stays: once that is repaired, run the same command again.`
}
