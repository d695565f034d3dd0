/** Civil, consumer, family, health-plan and civil-procedure subjects; the notation is subject.ts's. */
export const CIVIL_SUBJECTS = `
# negativacao | civil consumidor | DIREITO DO CONSUMIDOR
t o dano moral|a indenização por dano moral|a inscrição indevida|o cadastro de inadimplentes|a restrição de crédito|o débito inexistente|a fraude de terceiro|o quantum indenizatório
h NEGATIVAÇÃO INDEVIDA|DANO MORAL IN RE IPSA|INSCRIÇÃO EM CADASTRO DE INADIMPLENTES|AUSÊNCIA DE NOTIFICAÇÃO PRÉVIA|ANOTAÇÃO PREEXISTENTE|QUANTUM INDENIZATÓRIO|RELAÇÃO DE CONSUMO
s A anotação do nome de {F} em cadastro restritivo sem contrato que a ampare gera dano moral presumido.
s Cabe ao fornecedor provar a origem da dívida de {R} lançada em nome do consumidor.
s Havendo inscrição legítima anterior, a nova anotação promovida por {E} não gera abalo indenizável.
s O valor de {R} fixado a título de dano moral atende ao caráter pedagógico da medida e não enriquece a vítima.
s A contratação por meio eletrônico exige prova da biometria, do aceite e da entrega do crédito ao consumidor.
s O protesto lavrado pelo cartório de {U} decorreu de dívida inexistente.
q a anotação foi precedida de notificação válida|o nome foi incluído no cadastro sem dívida que o justifique|a fraude praticada por terceiro afasta o dever de indenizar|a existência de outra anotação impede a reparação
l art. 14 do Código de Defesa do Consumidor|art. 43, § 2º, do CDC|art. 927 do Código Civil|Súmula 385 do STJ|art. 186 do CC
# plano-saude | civil consumidor | DIREITO DA SAÚDE SUPLEMENTAR
t o plano de saúde|a operadora do plano de saúde|a cobertura contratual|a negativa de cobertura|o rol de procedimentos|o tratamento prescrito|o reajuste por faixa etária|o home care|a carência contratual
h PLANO DE SAÚDE|NEGATIVA DE COBERTURA|RECUSA INDEVIDA|ROL DA ANS|TRATAMENTO MULTIDISCIPLINAR|REAJUSTE POR FAIXA ETÁRIA|INTERNAÇÃO DE URGÊNCIA|DANO MORAL
s A operadora do plano de saúde não pode recusar o uso de {med} indicado pelo médico assistente quando a doença tem cobertura.
s A recusa em custear {med} agravou a aflição do beneficiário, que aguardava internação em {U}.
s O reajuste por faixa etária é válido se previsto no contrato, se segue as normas da agência e se não é aleatório.
s Em caso de urgência, a carência se limita a vinte e quatro horas.
s O beneficiário demitido sem justa causa pode manter o plano de saúde, desde que assuma o pagamento integral.
s A assistente {Ff} relatou que o autor atua como {ocup} e sofre de {doenca}.
s O autor {Fm} {queixa-se/reclama/padece} de {sintoma} desde {D}.
q a recusa de cobertura foi abusiva|a lista da agência reguladora admite exceção para o procedimento indicado|a operadora deve reembolsar as despesas feitas fora da rede credenciada|o reajuste aplicado na mudança de idade tem base atuarial
l art. 35-C da Lei 9.656/1998|art. 10, § 4º, da Lei 9.656/98|art. 51, IV, do CDC|Súmula 608 do STJ|Resolução Normativa 465/2021 da ANS
# bancario | civil consumidor | DIREITO BANCÁRIO
t o contrato bancário|a capitalização de juros|os juros remuneratórios|a taxa média de mercado|a alienação fiduciária|a cédula de crédito bancário|o empréstimo consignado|a tarifa de cadastro|a repetição do indébito
h CONTRATO BANCÁRIO|AÇÃO REVISIONAL|JUROS REMUNERATÓRIOS|TAXA MÉDIA DE MERCADO|CAPITALIZAÇÃO MENSAL|EMPRÉSTIMO CONSIGNADO|BUSCA E APREENSÃO|REPETIÇÃO DO INDÉBITO EM DOBRO|TARIFAS BANCÁRIAS
s A taxa de {%} ao mês supera em muito a média divulgada pelo Banco Central para operação da mesma espécie.
s A capitalização mensal de juros é lícita quando expressamente pactuada em contrato posterior a 31 de março de 2000.
s Não comprovada a contratação do empréstimo consignado, impõe-se a devolução das parcelas descontadas do benefício.
s A notificação enviada ao endereço do contrato basta para constituir em mora o devedor fiduciante.
s O Banco {E} não juntou aos autos o instrumento que autorizaria a cobrança de {R}.
s O protesto lavrado pelo cartório de {U} decorreu de dívida inexistente.
q a taxa pactuada supera de modo abusivo a média de mercado|a assinatura lançada no contrato é autêntica|a cobrança da tarifa tem amparo no contrato|o banco deve restituir em dobro o que descontou
l art. 28 da Lei 10.931/2004|Decreto-Lei 911/1969|Súmula 382 do STJ|Súmula 297 do STJ|art. 42, parágrafo único, do CDC|Súmula 539 do STJ
# transito | civil | RESPONSABILIDADE CIVIL
t o acidente de trânsito|a colisão traseira|a culpa exclusiva da vítima|a pensão mensal|o dano estético|o seguro obrigatório|os lucros cessantes|a indenização por danos materiais
h ACIDENTE DE TRÂNSITO|RESPONSABILIDADE CIVIL|DANO MATERIAL|DANO MORAL|DANO ESTÉTICO|PENSIONAMENTO|CULPA CONCORRENTE|BOLETIM DE OCORRÊNCIA|LUCROS CESSANTES
s O condutor do veículo que cruzou a via preferencial em {U} deu causa ao abalroamento.
s O boletim de ocorrência goza de presunção relativa, não derrubada pela prova oral.
s A transportadora {E} responde pelos atos de seu preposto, ainda que o veículo fosse locado.
s O pensionamento deve ter por base a renda provada da vítima, e não a mera estimativa de {R}.
s A cumulação de dano moral com dano estético é possível quando as ofensas são distintas.
s O autor {Fm} {queixa-se/reclama/padece} de {sintoma} desde {D}.
q o condutor do caminhão deu causa à colisão|o proprietário do veículo responde com o condutor|a vítima contribuiu para o evento|a pensão deve ser paga até que a vítima complete setenta e cinco anos
l art. 186 do Código Civil|art. 927 do Código Civil|art. 950 do CC|art. 29, II, do CTB|Súmula 387 do STJ|Súmula 54 do STJ
# familia | civil familia | DIREITO DE FAMÍLIA
t a guarda compartilhada|os alimentos|a pensão alimentícia|a união estável|a partilha de bens|o regime de bens|a alienação parental|o melhor interesse da criança|o dever de sustento|a convivência familiar
h ALIMENTOS|REVISÃO DE ALIMENTOS|BINÔMIO NECESSIDADE E POSSIBILIDADE|GUARDA COMPARTILHADA|UNIÃO ESTÁVEL|PARTILHA DE BENS|DIVÓRCIO|EXONERAÇÃO DE ALIMENTOS|PATERNIDADE SOCIOAFETIVA
s Os alimentos devem observar as necessidades do filho e as possibilidades do genitor, que trabalha em {U}.
s A maioridade do alimentando não extingue, por si só, a pensão alimentícia fixada em {%} dos rendimentos.
s A guarda compartilhada é a regra, salvo prova de que um dos pais não pode exercê-la.
s O imóvel situado em {U}, comprado na constância da união estável, entra na partilha ainda que registrado em nome de um só.
s O estudo psicossocial indicou vínculo afetivo com {F} e ausência de risco à criança.
s O requerido {Fm} cursa {curso} e depende dos pais.
s O menor faz tratamento com {med} em {U}, por causa de {doenca}.
s A tia materna {Ff} cuida das crianças em {U} desde {D}.
s O veículo {marca} foi adquirido em {D} por {R}.
q a obrigação alimentar deve ser revista em razão do desemprego do genitor|a residência da criança deve ser fixada com a mãe|a relação foi pública, contínua e com intenção de constituir família|o bem adquirido antes do casamento se comunica
l art. 1.694, § 1º, do Código Civil|art. 1.583 do CC|art. 1.725 do Código Civil|Lei 12.318/2010|Súmula 358 do STJ|art. 1.658 do CC
# sucessoes | civil familia | DIREITO DAS SUCESSÕES
t o inventário|a herança|o testamento particular|o direito real de habitação|a cessão de direitos hereditários|o arrolamento sumário|o espólio|a colação de bens
h INVENTÁRIO|SUCESSÃO LEGÍTIMA|TESTAMENTO|DIREITO REAL DE HABITAÇÃO|COLAÇÃO|REMOÇÃO DE INVENTARIANTE|CESSÃO DE DIREITOS HEREDITÁRIOS
s O cônjuge sobrevivente conserva o direito real de habitação sobre a casa de {U}, única de natureza residencial.
s A doação feita a {F} em vida presume-se adiantamento da legítima e deve ser conferida.
s A desídia do inventariante, que deixou de prestar contas de {R}, autoriza a sua remoção.
s A preterição de formalidade do testamento não o anula quando a vontade da testadora restou inequívoca.
s Os bens deixados por {F} incluem terras com plantio de {cult} em {U}.
s O veículo {marca} foi adquirido em {D} por {R}.
q o companheiro concorre com os parentes colaterais|o bem doado deve ser trazido à colação|o testamento observou as formalidades essenciais|o inventariante deve ser removido
l art. 1.831 do Código Civil|art. 1.829 do CC|art. 2.002 do Código Civil|art. 622 do CPC|art. 1.876 do CC
# locacao | civil | DIREITO IMOBILIÁRIO
t o contrato de locação|a ação de despejo|o compromisso de compra e venda|a taxa de condomínio|o atraso na entrega do imóvel|a comissão de corretagem|a cláusula penal|os aluguéis vencidos|a benfeitoria necessária
h AÇÃO DE DESPEJO|LOCAÇÃO|ATRASO NA ENTREGA DE IMÓVEL|COMPRA E VENDA|RESCISÃO CONTRATUAL|LUCROS CESSANTES PRESUMIDOS|TAXA DE CONDOMÍNIO|FIANÇA|CLÁUSULA PENAL
s A locadora {E} recebeu as chaves em {D}, conforme recibo assinado por {F}.
s O atraso de {n} meses na entrega do Residencial {K2} presume o prejuízo do comprador.
s Na rescisão por culpa da construtora {E}, a devolução das parcelas é integral e imediata.
s O fiador que anuiu à prorrogação responde pelos aluguéis até a entrega das chaves.
s A obrigação condominial segue a coisa e alcança quem arrematou a unidade.
s A retenção de {%} das parcelas pagas mostra-se adequada às despesas da vendedora.
s O imóvel da {rua} apresenta {vicio} e {vicio}, segundo o engenheiro {Fm}.
q a construtora deve restituir a totalidade das parcelas|a multa pode ser invertida em favor do comprador|o fiador responde pelo período de prorrogação|o atraso na obra se deve à falta de mão de obra
l art. 62 da Lei 8.245/1991|art. 39 da Lei 8.245/91|art. 1.345 do Código Civil|Súmula 543 do STJ|Lei 4.591/1964|art. 413 do CC
# usucapiao | civil | DIREITO CIVIL
t a usucapião|a posse mansa e pacífica|a reintegração de posse|o esbulho possessório|a servidão de passagem|o direito de propriedade|o registro imobiliário|o animus domini
h USUCAPIÃO EXTRAORDINÁRIA|REINTEGRAÇÃO DE POSSE|ESBULHO|POSSE|ANIMUS DOMINI|AÇÃO REIVINDICATÓRIA|SERVIDÃO DE PASSAGEM|DEMARCAÇÃO
s A posse sobre a gleba denominada Fazenda {K2}, em {U}, perdura há mais de {n} anos sem oposição.
s A mera permissão do proprietário não induz posse apta à usucapião.
s O comodato verbal cessou com a notificação, {de modo que/de sorte que/razão pela qual/pelo que/motivo por que} a recusa em sair configura esbulho.
s A planta e o memorial subscritos por {F} não identificam os confrontantes.
q a ocupação foi exercida com intenção de dono|o tempo do antecessor se soma ao do ocupante|o imóvel tem natureza pública|o ocupante deve ser indenizado pelas obras que fez
l art. 1.238 do Código Civil|art. 1.210 do CC|art. 561 do CPC|art. 183 da Constituição Federal|art. 1.228 do Código Civil
# execucao-civil | civil processo | DIREITO PROCESSUAL CIVIL
t a execução de título extrajudicial|a prescrição intercorrente|a penhora de salário|o bem de família|o cumprimento de sentença|a desconsideração da personalidade jurídica|os embargos à execução|a fraude à execução|o excesso de execução
h EXECUÇÃO DE TÍTULO EXTRAJUDICIAL|PRESCRIÇÃO INTERCORRENTE|PENHORA|IMPENHORABILIDADE|BEM DE FAMÍLIA|CUMPRIMENTO DE SENTENÇA|DESCONSIDERAÇÃO DA PERSONALIDADE JURÍDICA|FRAUDE À EXECUÇÃO|BACENJUD
s A prescrição intercorrente exige a inércia do credor após o arquivamento provisório do processo.
s O cheque de {R}, emitido por {F} em favor de {E}, foi devolvido sem fundos.
s A nota promissória de {R} foi assinada em branco por {F}.
s A penhora de {%} do salário é admitida quando preserva o mínimo existencial da família.
s A baixa da sociedade {E} não basta, sozinha, para a desconsideração da personalidade jurídica.
s O imóvel que serve de moradia a {F} está protegido como bem de família.
s Não localizados bens pelos sistemas eletrônicos, o feito ficou parado por {n} anos sem impulso útil.
s A nota fiscal emitida por {E} descreve {merc} {no total de/no montante de/na importância de/na soma de} {R}.
q o credor se manteve inerte após a suspensão do feito|o salário pode ser penhorado em parte|o sócio responde pela dívida da sociedade|o imóvel penhorado serve de residência à família
l art. 921, § 4º, do CPC|art. 833, IV, do CPC|Lei 8.009/1990|art. 50 do Código Civil|art. 792 do CPC|Súmula 375 do STJ
# honorarios | civil processo trabalho tributario previdencia | DIREITO PROCESSUAL CIVIL
t os honorários advocatícios|os honorários de sucumbência|a equidade|o proveito econômico|a gratuidade de justiça|a justiça gratuita|a sucumbência recíproca|o princípio da causalidade|as custas processuais
h HONORÁRIOS ADVOCATÍCIOS|SUCUMBÊNCIA RECÍPROCA|FIXAÇÃO POR EQUIDADE|PRINCÍPIO DA CAUSALIDADE|JUSTIÇA GRATUITA|HONORÁRIOS RECURSAIS|BASE DE CÁLCULO DOS HONORÁRIOS
s Os honorários advocatícios devem incidir sobre o proveito econômico, e não por equidade, quando este é conhecido.
s Quem deu causa à demanda responde pelos honorários advocatícios, ainda que o processo se extinga sem mérito.
s Majoram-se os honorários advocatícios de {%} para {%} do valor da condenação.
s A declaração de pobreza de {F} goza de presunção de veracidade, não infirmada pela renda de {S}.
s A exigibilidade das custas fica suspensa em razão da gratuidade de justiça.
q a verba do advogado deve ser fixada por equidade|a parte vencida na maior porção deve suportar a totalidade das despesas|a declaração firmada basta para a concessão da gratuidade|a verba pode ser cobrada nos próprios autos
l art. 85, § 2º, do CPC|art. 85, § 11, do CPC|art. 98 do CPC|art. 82, § 2º, do CPC|Tema 1.076 do STJ|art. 86 do CPC
# processo | civil processo | DIREITO PROCESSUAL CIVIL
t a tutela de urgência|o cerceamento de defesa|a preclusão consumativa|o ônus da prova|a coisa julgada|o interesse de agir|a competência territorial|a negativa de prestação jurisdicional|o princípio da dialeticidade|os embargos de declaração
h EMBARGOS DE DECLARAÇÃO|AUSÊNCIA DE OMISSÃO|CERCEAMENTO DE DEFESA|TUTELA DE URGÊNCIA|ÔNUS DA PROVA|COISA JULGADA|PRECLUSÃO|DIALETICIDADE RECURSAL|REEXAME DE PROVAS|PREQUESTIONAMENTO
s Os embargos de declaração não servem para rediscutir o que foi decidido de modo claro.
s O indeferimento da oitiva de {F} não traduz cerceamento de defesa, pois o juiz é o destinatário da prova.
s Ausente a probabilidade do direito, não se concede a tutela de urgência.
s O recurso que não ataca os fundamentos da decisão desatende ao princípio da dialeticidade.
s A verdade formada em processo anterior, findo em {D}, impede nova discussão sobre o mesmo pedido.
q o julgamento antecipado prejudicou a defesa|a matéria foi decidida em processo anterior|o recurso impugnou os fundamentos da decisão|o tribunal se omitiu sobre ponto relevante
l art. 1.022 do CPC|art. 300 do CPC|art. 373, I, do CPC|art. 932, III, do CPC|Súmula 7 do STJ|Súmula 211 do STJ|art. 489, § 1º, do CPC
# empresarial | civil empresarial | DIREITO EMPRESARIAL
t a recuperação judicial|o plano de recuperação|a falência|o crédito extraconcursal|a dissolução parcial|a apuração de haveres|o administrador judicial|a assembleia de credores|a marca registrada
h RECUPERAÇÃO JUDICIAL|HABILITAÇÃO DE CRÉDITO|CRÉDITO EXTRACONCURSAL|FALÊNCIA|DISSOLUÇÃO PARCIAL DE SOCIEDADE|APURAÇÃO DE HAVERES|PROPRIEDADE INDUSTRIAL|CONCORRÊNCIA DESLEAL|MARCA
s O crédito constituído antes do pedido de {E} sujeita-se à recuperação judicial, ainda que não vencido.
s A marca {E} é fraca e deve conviver com signos semelhantes no ramo de {ramo}.
s Na apuração de haveres, o balanço de determinação deve refletir o valor de {R} na data da retirada.
s Encerrado o prazo de suspensão, as execuções contra a devedora retomam o seu curso.
s A nota fiscal emitida por {E} descreve {merc} {no total de/no montante de/na importância de/na soma de} {R}.
s O contrato de {E} previa o fornecimento de {merc} em {U}.
q o crédito se submete aos efeitos do plano|o sócio retirante tem direito à avaliação dos bens incorpóreos|os sinais distintivos podem ser confundidos pelo público|a assembleia é soberana quanto ao aspecto econômico do plano
l art. 49 da Lei 11.101/2005|art. 6º, § 4º, da Lei 11.101/05|art. 1.031 do Código Civil|art. 124, XIX, da Lei 9.279/1996|Tema 1.051 do STJ
# seguro | civil consumidor | DIREITO SECURITÁRIO
t o contrato de seguro|a indenização securitária|o agravamento do risco|o seguro de vida|a doença preexistente|a cláusula limitativa|a apólice coletiva|o aviso de sinistro
h SEGURO DE VIDA|NEGATIVA DE COBERTURA|DOENÇA PREEXISTENTE|AGRAVAMENTO DO RISCO|PRESCRIÇÃO ÂNUA|INVALIDEZ PERMANENTE|SEGURO PRESTAMISTA
s A seguradora {E} que não exige exames prévios assume o risco da doença preexistente.
s A embriaguez do segurado só afasta a cobertura se foi causa determinante do sinistro ocorrido em {U}.
s O capital de {R} deve ser pago com correção desde a contratação.
s A perda parcial decorrente de {lesao} não se enquadra na garantia de invalidez total.
s O autor {Fm} {queixa-se/reclama/padece} de {sintoma} desde {D}.
q o segurado omitiu de má-fé o seu estado de saúde|a falta de pagamento de uma parcela cancela a apólice|a seguradora deve pagar o capital por inteiro|a cláusula restritiva foi informada com clareza
l art. 768 do Código Civil|art. 206, § 1º, II, do CC|Súmula 609 do STJ|Súmula 610 do STJ|art. 757 do Código Civil
# aereo | civil consumidor | DIREITO DO CONSUMIDOR
t o transporte aéreo|o cancelamento de voo|o extravio de bagagem|o atraso de voo|a companhia aérea|a agência de viagens|o pacote turístico|o produto defeituoso|o serviço de telefonia
h TRANSPORTE AÉREO|CANCELAMENTO DE VOO|EXTRAVIO DE BAGAGEM|FORTUITO INTERNO|VÍCIO DO PRODUTO|SERVIÇO DE TELEFONIA|DANO MORAL CONFIGURADO|OFERTA VINCULANTE
s O atraso de {n} horas no voo com destino a {U}, sem assistência, ultrapassa o mero dissabor.
s A manutenção não programada da aeronave é fortuito interno e não exime a companhia aérea.
s A oficina {E} reteve o veículo {marca} até o pagamento de {R}.
s A compradora {Ff} recebeu {objeto} em desacordo com o pedido feito a {E}.
s O veículo {marca} foi vendido a {F} sem aviso quanto a defeito de fábrica.
s O aparelho {marca} apresentou vício não sanado no prazo de trinta dias.
s A operadora {E} cobrou serviço não solicitado, o que autoriza a repetição em dobro.
s A nota fiscal emitida por {E} descreve {merc} {no total de/no montante de/na importância de/na soma de} {R}.
s O perito examinou {objeto} e {objeto} e não encontrou {defeito/avaria/desgaste anormal/falha de projeto/sinal de violação}.
q o cancelamento decorreu de fato alheio ao transportador|o atraso superior a quatro horas gera dano extrapatrimonial|o consumidor tem direito à troca do aparelho|a agência responde pela falha do hotel contratado
l art. 14, § 3º, do CDC|art. 18 do CDC|art. 734 do Código Civil|Convenção de Montreal|Resolução 400/2016 da ANAC
`;
