import { invalidRequest } from './parse.ts'

/**
 * Checks that ids in the body equal the ids in the path (interface specification, "Transport").
 * @throws ServiceError 400 if an id differs
 */
export function checkRepeatedIds(
  params: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
): void {
  const issues = Object.entries(params)
    .filter(([name, value]) => body[name] !== undefined && body[name] !== value)
    .map(([path]) => ({ path, message: 'must be the one of the path, or left out' }))
  if (issues.length > 0) throw invalidRequest(issues)
}
