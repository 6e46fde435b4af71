import { foreignAnswer, type Shape } from '../http/shape.ts'
import { toProblem } from '../reads/read-json.ts'
import { CliError, exitOfStatus, exits } from './io.ts'

/**
 * Returns the data of a service's answer.
 * @throws CliError when the service refuses the request, or when the answer has an unexpected shape
 */
export function dataOf<Data>(
  { data, error, response }: { data?: Data; error?: unknown; response: Response },
  { url, shape, refused }: { url: string; shape: Shape; refused: string },
): Data {
  if (response.ok && shape.accepts(data)) return data as Data
  if (response.ok) throw new CliError(foreignAnswer(url, data ?? null, shape), exits.unknown)
  const problem = toProblem({ url, status: response.status, body: error })
  throw new CliError(`${refused} ${problem.message}`, exitOfStatus(response.status), problem.body)
}
