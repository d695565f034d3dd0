import type { Base } from '../../contract/vocabulary.ts';
import type { BaseState } from './live-routes.ts';

/** `GET /console/api/nos`: the nodes as a front sees them. */
export interface NodesReport {
  /** False without a connection to NATS. */
  readonly ligado: boolean;
  readonly segundas_consultas: number;
  readonly nos: readonly NodeReport[];
}

export interface NodeReport {
  readonly nome: string;
  readonly estado: 'no_ar' | 'encerrou' | 'sumiu';
  /** True if an operator took it out. */
  readonly fora: boolean;
  /** Seconds since its state changed, and since it was last heard. */
  readonly ha_s: number;
  readonly ouvido_ha_s: number;
  readonly em_espera: number;
  readonly perdidos: number;
  readonly bases: readonly ReplicaReport[];
}

export interface ReplicaReport {
  readonly base: Base;
  readonly estado: BaseState['estado'];
  readonly versao_dos_dados: number | null;
  /** The latest generation of the base that is known; 0 if none. */
  readonly mais_nova: number;
  readonly threads: number;
  readonly em_execucao: number;
  readonly na_fila: number;
  readonly congestionada: boolean;
}
