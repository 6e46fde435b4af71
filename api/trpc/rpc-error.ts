import type { TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { PaymentRequired } from '@x402/core/types'
import { type ErrorBody, errorBody } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { PaymentChallenged } from './payment-challenged.ts'

/**
 * The field `error` of an RPC answer. The values are those of a REST error body, and the field names are those of tRPC
 * (interface specification, "Errors").
 */
export interface RpcErrorShape {
  message: string
  /** The number that tRPC assigns to the error code. */
  code: (typeof TRPC_ERROR_CODES_BY_KEY)[keyof typeof TRPC_ERROR_CODES_BY_KEY]
  data: {
    /** The error code as a name, equal to `code` of a REST error. */
    code: string
    httpStatus: number
    service: ErrorBody['service']
    issues?: ErrorBody['issues']
    /** The payment challenge of a 402 error, which is also in the header `PAYMENT-REQUIRED`. */
    paymentRequired?: PaymentRequired
  }
}

/** Converts an error to the form of an RPC answer. */
export function toRpcError(failure: ServiceError, publicBaseUrl: string): RpcErrorShape {
  const { error, code, service, issues } = errorBody(failure, publicBaseUrl)
  return {
    message: error,
    code: numberOf(code),
    data: {
      code,
      httpStatus: failure.status,
      service,
      ...(issues && { issues }),
      ...(failure instanceof PaymentChallenged && { paymentRequired: failure.paymentRequired }),
    },
  }
}

/**
 * Returns the number that tRPC assigns to an error code. `LEGAL_ACCEPTANCE_REQUIRED`, which tRPC does not define, gets
 * the number of `FORBIDDEN`. All other undefined codes get the number of `INTERNAL_SERVER_ERROR`.
 */
function numberOf(code: string): RpcErrorShape['code'] {
  if (Object.hasOwn(TRPC_ERROR_CODES_BY_KEY, code)) return TRPC_ERROR_CODES_BY_KEY[code as 'FORBIDDEN']
  return code === 'LEGAL_ACCEPTANCE_REQUIRED'
    ? TRPC_ERROR_CODES_BY_KEY.FORBIDDEN
    : TRPC_ERROR_CODES_BY_KEY.INTERNAL_SERVER_ERROR
}

/**
 * Returns the cause of an error of the tRPC library. The cause is the error that a procedure threw. If no procedure
 * threw, the result describes the problem that the library found in the request.
 */
export function thrownBehind(error: TRPCError): unknown {
  if (error.cause instanceof ServiceError) return error.cause
  switch (error.code) {
    case 'NOT_FOUND':
      return new ServiceError(
        404,
        'unclassified',
        `${error.message}; the description in /openapi.json names those there are.`,
        { detail: 'route_not_found' },
      )
    case 'METHOD_NOT_SUPPORTED':
      return new ServiceError(404, 'unclassified', `${error.message}; queries are GET, mutations POST.`, {
        detail: 'method_not_allowed',
      })
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      return new ServiceError(400, 'unclassified', complaintAbout(error), {
        detail: error.cause instanceof SyntaxError ? 'malformed_json' : 'invalid_input',
        cause: error,
      })
    default:
      return error.cause ?? error
  }
}

function complaintAbout({ cause, message }: TRPCError): string {
  return cause instanceof SyntaxError ? 'The input is not valid JSON.' : `${message}.`
}
