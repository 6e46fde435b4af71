/**
 * `npm run deploy -- --network <network> [...]`: puts the contracts on a chain, step by step. It sends only what the chain lacks, so it can
 * be ended at any time and run again, and records the result in deployments/<chainId>.json. `docs/operate/rehearse-on-base-sepolia.md`
 * goes through all of it.
 *
 *   npm run deploy -- --network base-sepolia --dry-run    prints every transaction, address, gas and cost; sends nothing
 *   npm run deploy -- --network base-sepolia [setup] --keystore FILE
 *   npm run deploy -- --network base-sepolia --check      compares the chain with the repository; ends with 1 where it differs
 *   npm run deploy -- verify --network base-sepolia       writes the compiler's inputs and submits them
 *
 * --network NAME        base, base-sepolia, a chain id of deployments/, or the path of a deployment file
 * --rpc-url URL         node; the public one that the deployment file names unless given
 * --file FILE           deployment file to read and write; that of the network unless given
 * --local               a chain of anvil's: puts stand-ins for USDC and the registries on it, takes the key of DEPLOYER_KEY,
 *                       and records in .local/deployments/<chainId>.json
 *
 * The setup. A run writes it into the deployment file first, so that later ones go without:
 * --owner ADDRESS            owns market and forwarder in the end; it need not be the deployer
 * --fee-recipient ADDRESS    gets the platform fees
 * --public-base-url URL      where clients reach the service: the registrar derives agent URIs from it, for good
 * --relayer ADDRESS          may relay; repeat it for more
 * --guardian ADDRESS         may veto announced refunds; no relayer
 * --fee-bps N                platform fee, 750 (7.5 %) unless given, 2000 at most
 * --service-name TEXT        first word of signed messages, `service` unless given
 * --reward-token ADDRESS     deploys a programme of token bonuses too, which pays nothing until its owner sets a rate
 * --new                      another deployment than the recorded one, which the file then forgets. One of the same deployer
 *                            and service name has the same forwarder, with the routes to the contracts before
 *
 * Who signs. A key is taken neither from the arguments nor, but on a local chain, from the environment:
 * --keystore FILE [--password-file FILE]   a keystore of cast or geth; the password is asked on the terminal
 * --ledger [--derivation-path PATH]        a device, through cast; every transaction is confirmed on it
 * --deployer ADDRESS --unsigned FILE       writes unsigned transactions to sign elsewhere
 * --deployer ADDRESS --send FILE           sends signed ones: a JSON list of hex texts, or one a line
 *
 * --max-fee-gwei N --priority-fee-gwei N   prices, instead of the node's
 * --replace             sends again, at a higher price, what an earlier run sent and no block has
 * --confirmations N     blocks until a transaction counts: 5, on a local chain 1
 *
 * For verify: --out FOLDER (.local/verification/<chainId> unless given), --no-submit, --sourcify-url URL, --etherscan-url URL.
 * Sourcify needs no key; Etherscan is asked too where ETHERSCAN_API_KEY is set.
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
