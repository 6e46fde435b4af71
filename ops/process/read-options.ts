import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * Reads the options of this process's command in the same way as `parseArgs`. If the command contains an unknown
 * option, this function prints a sentence and ends the process with exit code 2.
 *
 *   const { values } = readOptions({ options: { reset: { type: 'boolean', default: false } } })
 *
 * @returns the values and the positionals
 */
export function readOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseOptions(config)
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(2)
  }
}

/**
 * Parses command-line words in the same way as `parseArgs`.
 * @throws Error with a sentence for people if a word is not an allowed option
 */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new Error(`${sentence}; --help says which options there are.`)
  }
}
