import { invalidRequest } from './parse.ts'

/**
 * Requires that ids of the path that the body repeats are equal (Interface, "Transport").
 * @throws ServiceError 400 when one differs
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
