import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * Reads the options of this process's command, as `parseArgs` does.
 *
 *   const { values } = readOptions({ options: { reset: { type: 'boolean', default: false } } })
 *
 * @returns values and positionals; ends the process with 2 and a sentence when a word is not one of them
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
 * Parses words as `parseArgs` does.
 * @throws Error with a sentence for people when a word is none of the options
 */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new Error(`${sentence}; --help says which options there are.`)
  }
}
