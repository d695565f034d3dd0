/** Labour subjects; the notation is subject.ts's. */
export const LABOUR_SUBJECTS = `
# horas-extras | trabalho | DIREITO DO TRABALHO
t as horas extras|a jornada de trabalho|o controle de ponto|o intervalo intrajornada|o banco de horas|o acordo de compensação|os minutos residuais|o cargo de confiança|a jornada de doze por trinta e seis
h HORAS EXTRAS|CONTROLES DE JORNADA|INTERVALO INTRAJORNADA|BANCO DE HORAS|CARGO DE CONFIANÇA|ÔNUS DA PROVA|MINUTOS RESIDUAIS|TURNOS ININTERRUPTOS DE REVEZAMENTO|TRABALHO EXTERNO
s Os cartões de ponto com horários invariáveis não provam a jornada, e são devidas as horas extras indicadas na inicial.
s A reclamada {E}, com mais de vinte empregados, não juntou os controles de ponto.
s A supressão parcial do intervalo intrajornada obriga ao pagamento do tempo suprimido, com adicional de cinquenta por cento.
s O trabalho externo compatível com o controle de horário não se enquadra na exceção legal.
s A prestação habitual de horas extras descaracteriza o acordo de compensação firmado em {U}.
s A {testemunha/depoente/declarante/informante} {F} confirmou o labor até as {n} horas em dias alternados.
s O autor cursava {curso} à noite e não podia estender a jornada.
s O autor ativava-se de segunda a sábado, com {n} minutos de pausa.
s O motorista percorria o trecho entre {U} e {U} com carga de {cult}.
q o empregado exercia função de gestão|os registros de horário são fidedignos|a pausa para refeição foi concedida por inteiro|o ajuste coletivo que ampliou a jornada é válido
l art. 62, II, da CLT|art. 71, § 4º, da CLT|art. 74, § 2º, da CLT|Súmula 338 do TST|Súmula 85 do TST|art. 7º, XIII, da Constituição Federal|art. 59 da CLT
# vinculo | trabalho | DIREITO DO TRABALHO
t o vínculo de emprego|a relação de emprego|a subordinação jurídica|a pejotização|o trabalho autônomo|o motorista de aplicativo|a carteira de trabalho|a pessoalidade|o contrato de parceria
h VÍNCULO DE EMPREGO|SUBORDINAÇÃO JURÍDICA|TRABALHO AUTÔNOMO|REPRESENTANTE COMERCIAL|PEJOTIZAÇÃO|PLATAFORMA DIGITAL|ÔNUS DA PROVA|ANOTAÇÃO DA CTPS
s Admitida a prestação de serviços, cabia à ré provar que a relação com {F} não era de emprego.
s A ausência de subordinação jurídica e a liberdade de horário afastam o vínculo de emprego.
s O contrato firmado entre pessoas jurídicas encobria o trabalho pessoal e permanente em favor de {E}.
s A adesão do motorista à plataforma, com ampla autonomia, não revela os elementos da relação de emprego.
q o prestador recebia ordens diretas do contratante|o serviço era prestado com habitualidade e mediante salário|a constituição de pessoa jurídica visou a fraudar a lei|o motorista podia recusar corridas sem punição
l art. 3º da CLT|art. 2º da CLT|art. 9º da CLT|art. 818 da CLT|art. 442-B da CLT|Lei 4.886/1965
# insalubridade | trabalho | SAÚDE E SEGURANÇA DO TRABALHO
t o adicional de insalubridade|o adicional de periculosidade|o laudo pericial|o equipamento de proteção individual|o grau máximo|o agente insalubre|o contato com inflamáveis|a limpeza de sanitários
h ADICIONAL DE INSALUBRIDADE|ADICIONAL DE PERICULOSIDADE|LAUDO PERICIAL|GRAU MÁXIMO|AGENTE BIOLÓGICO|EPI|BASE DE CÁLCULO|HONORÁRIOS PERICIAIS
s O perito apurou contato diário com {agente} sem neutralização por equipamento de proteção.
s A entrega de luvas e máscaras em {U} não bastou para eliminar o agente insalubre.
s A base de cálculo do adicional de insalubridade continua a ser o salário mínimo, até que lei a altere.
s O ingresso eventual em área de risco, por tempo extremamente reduzido, não gera adicional de periculosidade.
s A reclamada {fornecia/entregava/distribuía/disponibilizava} {epi} e {epi}, sem prova da troca periódica.
s O trabalhador {Fm} se queixava de {sintoma} após operar {maq}.
s A ré exigia o uso de {epi}, mas não ministrou treinamento.
s O trabalho no cultivo de {cult} se dava a céu aberto, sob {sol intenso/chuva/calor excessivo/frio/poeira/vento}.
s O laudo ambiental de {E} aponta {agente} e {agente} acima do limite.
s Provou-se que {F} limpava {lugar} frequentado por grande número de pessoas.
s O reclamante manuseava {objeto} e {objeto} no depósito de {U}.
s O vigia {Fm} permanecia armado em {lugar} sem colete.
s O reclamante {laborava/trabalhava/atuava} exposto a {agente}, conforme apurou o perito {Fm}.
s A ficha de entrega de equipamentos de proteção registra protetor da marca {marca}.
s A fiscalização do trabalho em {U} lavrou auto por exposição a {agente}.
q o contato com o agente era habitual|a proteção fornecida neutralizou o agente|a higienização de banheiros de uso coletivo equivale à coleta de lixo urbano|o ingresso na área de risco era intermitente
l art. 189 da CLT|art. 193 da CLT|Súmula 364 do TST|Súmula 448 do TST|NR 15 da Portaria 3.214/1978|Súmula Vinculante 4 do STF
# acidente-trabalho | trabalho | RESPONSABILIDADE CIVIL DO EMPREGADOR
t o acidente de trabalho|a doença ocupacional|o nexo concausal|a estabilidade acidentária|a pensão vitalícia|a atividade de risco|a indenização por dano moral|o assédio moral|a culpa do empregador
h ACIDENTE DE TRABALHO|DOENÇA OCUPACIONAL|NEXO CONCAUSAL|DANO MORAL|PENSÃO MENSAL VITALÍCIA|ATIVIDADE DE RISCO|ESTABILIDADE PROVISÓRIA|VALOR DA INDENIZAÇÃO
s A perícia reconheceu a concausa entre o trabalho na operação de {maq} e a lesão do ombro.
s O assédio moral ficou provado pelos relatos de {F}, que presenciou ofensas reiteradas do gerente.
s O valor de {R} arbitrado ao dano moral é proporcional à extensão da lesão.
s A atividade de vigilante armado expõe o trabalhador a risco superior ao comum.
s Afastado por mais de quinze dias, o empregado faz jus à estabilidade acidentária.
s A encarregada {Ff} cobrava metas diante {dos colegas/dos clientes/da equipe/de terceiros/dos subordinados} do setor de {setor}.
s O trabalhador {Fm} se queixava de {sintoma} após operar {maq}.
s O exame admissional não acusou {sintoma}, ao contrário da {exame} feita em {D}.
s A ré exigia o uso de {epi}, mas não ministrou treinamento.
s A médica {Ff}, do serviço de {E}, emitiu atestado com menção a {doenca}.
s O reclamante {laborava/trabalhava/atuava} exposto a {agente}, conforme apurou o perito {Fm}.
s O trabalhador sofreu {lesao} ao manusear {maq}.
s A trabalhadora foi diagnosticada com {doenca} e afastada em {D}.
q a moléstia tem relação com as tarefas executadas|o empregador negligenciou as normas de segurança|o trabalhador deu causa exclusiva ao infortúnio|o valor arbitrado guarda proporção com a ofensa
l art. 118 da Lei 8.213/1991|art. 7º, XXVIII, da Constituição Federal|art. 950 do Código Civil|Súmula 378 do TST|art. 223-G da CLT
# terceirizacao | trabalho | DIREITO DO TRABALHO
t a terceirização|a responsabilidade subsidiária|a administração pública|a culpa in vigilando|o tomador de serviços|a fiscalização do contrato|o ente público|o contrato de prestação de serviços|o grupo econômico
h TERCEIRIZAÇÃO|RESPONSABILIDADE SUBSIDIÁRIA|ENTE PÚBLICO|CULPA IN VIGILANDO|TOMADOR DE SERVIÇOS|LICITUDE|GRUPO ECONÔMICO|TRANSCENDÊNCIA POLÍTICA
s A responsabilidade subsidiária do Município de {U} depende de prova de conduta negligente na fiscalização.
s A licitude da terceirização não afasta a responsabilidade subsidiária da tomadora.
s O mero inadimplemento da prestadora {E} não transfere à administração pública o encargo.
s Demonstrada a comunhão de interesses, integram o mesmo grupo econômico as rés {E} e {E}.
q o ente deixou de fiscalizar o contrato|a contratante responde pelos débitos da prestadora|o ônus de provar a falta de fiscalização cabe ao trabalhador|as empresas atuavam sob direção comum
l Súmula 331, V, do TST|art. 71, § 1º, da Lei 8.666/1993|Tema 246 do STF|Tema 725 do STF|art. 2º, § 2º, da CLT|art. 121 da Lei 14.133/2021
# rescisao | trabalho | DIREITO DO TRABALHO
t a justa causa|a rescisão indireta|as verbas rescisórias|a multa do art. 477|o aviso prévio|o FGTS|a dispensa discriminatória|a estabilidade da gestante|o pedido de demissão
h JUSTA CAUSA|RESCISÃO INDIRETA|VERBAS RESCISÓRIAS|GESTANTE|ESTABILIDADE PROVISÓRIA|DISPENSA DISCRIMINATÓRIA|DESÍDIA|MULTA DO ART. 477 DA CLT|DEPÓSITOS DE FGTS
s A justa causa exige prova robusta da falta grave, que não se extrai do depoimento de {F}.
s O atraso reiterado no recolhimento do FGTS autoriza a rescisão indireta do contrato.
s A estabilidade da gestante independe do conhecimento da gravidez pelo empregador.
s O pagamento das verbas rescisórias em {D}, fora do prazo, atrai a multa.
s Presume-se discriminatória a dispensa de portador de {doenca} que suscite estigma.
s A encarregada {Ff} cobrava metas diante {dos colegas/dos clientes/da equipe/de terceiros/dos subordinados} do setor de {setor}.
s A empregada {Ff}, {ocupa}, ficou grávida durante o contrato de experiência.
s A trabalhadora foi diagnosticada com {doenca} e afastada em {D}.
q a penalidade máxima foi proporcional à falta|a empregada já estava grávida ao tempo da dispensa|o empregador descumpriu obrigações contratuais|o acerto foi pago fora do prazo legal
l art. 482 da CLT|art. 483, d, da CLT|art. 477, § 8º, da CLT|Súmula 244 do TST|Súmula 443 do TST|art. 10, II, b, do ADCT|Lei 8.036/1990
# coletivo | trabalho | DIREITO COLETIVO DO TRABALHO
t a negociação coletiva|a norma coletiva|a convenção coletiva de trabalho|o dissídio coletivo|a contribuição assistencial|o sindicato profissional|a greve|a data-base|o piso salarial
h DISSÍDIO COLETIVO|NORMA COLETIVA|GREVE|CONTRIBUIÇÃO ASSISTENCIAL|NEGOCIADO SOBRE O LEGISLADO|ENQUADRAMENTO SINDICAL|REAJUSTE SALARIAL|DIREITO DE OPOSIÇÃO
s A norma coletiva que limita direito disponível é válida, ainda que não aponte vantagem compensatória.
s O sindicato dos trabalhadores no ramo de {ramo} de {U} detém a representação da categoria.
s A cláusula de reajuste de {%} deve ser reduzida ao índice de inflação do período.
s A greve em serviço essencial exige aviso com setenta e duas horas e a manutenção de {%} do efetivo.
s O instrumento coletivo de {U} instituiu {parcela} para quem atua no setor de {setor}.
q a categoria pode negociar a redução de direitos disponíveis|o trabalhador não filiado deve contribuir|a paralisação observou os requisitos legais|a entidade representa a categoria na base territorial
l art. 611-A da CLT|art. 8º, III, da Constituição Federal|art. 114, § 2º, da Constituição Federal|Lei 7.783/1989|Tema 1.046 do STF|Tema 935 do STF
# execucao-trabalhista | trabalho | EXECUÇÃO TRABALHISTA
t a execução trabalhista|a prescrição intercorrente|o redirecionamento da execução|o sócio retirante|a correção monetária|a penhora de bens|a garantia do juízo|o agravo de petição|a liquidação de sentença
h AGRAVO DE PETIÇÃO|PRESCRIÇÃO INTERCORRENTE|CORREÇÃO MONETÁRIA|SÓCIO RETIRANTE|DESCONSIDERAÇÃO INVERSA|PENHORA DE APOSENTADORIA|EXCESSO DE EXECUÇÃO|OFENSA À COISA JULGADA
s A prescrição intercorrente flui do descumprimento de ordem dada após a vigência da reforma trabalhista.
s O sócio {Fm} responde pelas obrigações do período em que integrou a sociedade {E}.
s Os créditos devem ser corrigidos pelo índice de preços na fase anterior ao ajuizamento e pela taxa Selic a partir dele.
s O laudo contábil, {no total de/no montante de/na importância de/na soma de} {R}, observou os limites do título executivo.
q o sócio que se retirou responde pela dívida|o índice de atualização foi fixado no título|a aposentadoria do devedor pode ser penhorada em parte|o exequente deixou de impulsionar o feito
l art. 11-A da CLT|art. 10-A da CLT|art. 884 da CLT|ADC 58 do STF|art. 855-A da CLT|art. 878 da CLT
# transcendencia | trabalho | RECURSO DE REVISTA
t a transcendência da causa|o recurso de revista|a transcrição do acórdão|o cotejo analítico|o agravo de instrumento|o despacho denegatório|a divergência jurisprudencial|o prequestionamento
h AGRAVO DE INSTRUMENTO EM RECURSO DE REVISTA|TRANSCENDÊNCIA|AUSÊNCIA DE TRANSCENDÊNCIA|INDICAÇÃO DO TRECHO|DESPACHO DENEGATÓRIO|ARESTO INESPECÍFICO|RECURSO DESFUNDAMENTADO|REEXAME DE FATOS
s A parte não transcreveu o trecho que prova o prequestionamento, o que impede o exame do recurso de revista.
s O aresto colacionado é inespecífico, pois não trata de empregado que atuava como {ocup}.
s Não se reconhece a transcendência quando a causa, de {R}, não discute tema novo nem contraria súmula.
s O reexame de fatos e provas é vedado em instância extraordinária.
q a causa oferece reflexos de natureza econômica ou política|o trecho indicado basta para provar o debate da matéria|os julgados confrontados partem dos mesmos fatos|a decisão denegatória foi impugnada em todos os seus fundamentos
l art. 896, § 1º-A, I, da CLT|art. 896-A da CLT|Súmula 126 do TST|Súmula 296 do TST|Súmula 422 do TST|art. 896, § 7º, da CLT
# remuneracao | trabalho | DIREITO DO TRABALHO
t a equiparação salarial|o desvio de função|o acúmulo de funções|a gratificação de função|o plano de cargos e salários|a integração de comissões|o salário extrafolha|as diferenças salariais|a participação nos lucros
h EQUIPARAÇÃO SALARIAL|DESVIO DE FUNÇÃO|ACÚMULO DE FUNÇÕES|DIFERENÇAS SALARIAIS|COMISSÕES|GRATIFICAÇÃO DE FUNÇÃO|INCORPORAÇÃO|SALÁRIO POR FORA|PROMOÇÃO POR MÉRITO
s O paradigma {Fm} exercia tarefas de {ocup}, com perfeição técnica superior.
s As diferenças salariais são devidas porque a reclamante {operava/manejava/acionava/utilizava/manuseava} {maq} desde {D}.
s O pagamento de {S} fora da folha ficou provado por extratos bancários.
s A gratificação de função percebida por mais de dez anos antes da reforma não pode ser suprimida sem justo motivo.
s O instrumento coletivo de {U} instituiu {parcela} para quem atua no setor de {setor}.
s A transferência do empregado de {U} para {U} foi definitiva.
q o paradigma exercia função idêntica|as tarefas acrescidas eram compatíveis com o contrato|a parcela paga por longo tempo se incorpora ao salário|as comissões integram a base das demais parcelas
l art. 461 da CLT|Súmula 6 do TST|art. 468 da CLT|Súmula 372 do TST|art. 457, § 1º, da CLT|Lei 10.101/2000
# bancario-trab | trabalho | DIREITO DO TRABALHO
t o empregado doméstico|o trabalhador rural|o bancário|o aprendiz|o motorista profissional|o professor|o vigilante|o trabalho em altura|o teletrabalho
h BANCÁRIO|TRABALHADOR RURAL|EMPREGADO DOMÉSTICO|MOTORISTA PROFISSIONAL|TEMPO DE ESPERA|COTA DE APRENDIZAGEM|TELETRABALHO|PROFESSOR|HORAS DE SOBREAVISO
s O tempo de espera do motorista na carga de {cult} integra a jornada após a decisão da Suprema Corte.
s A fiscalização do trabalho autuou {E} por descumprir a cota de aprendizagem.
s O trabalhador rural da Fazenda {K2} pernoitava em alojamento sem água potável.
s O sobreaviso pressupõe restrição à liberdade de locomoção, e não o simples porte de celular.
s O alojamento mantido por {E} na Fazenda {K2} não tinha {banheiro/água potável/ventilação/camas/refeitório/armários/iluminação/chuveiro/extintor}.
s O trabalho no cultivo de {cult} se dava a céu aberto, sob {sol intenso/chuva/calor excessivo/frio/poeira/vento}.
s O vigia {Fm} permanecia armado em {lugar} sem colete.
s O motorista percorria o trecho entre {U} e {U} com carga de {cult}.
q o empregado se enquadra na jornada reduzida da categoria|o tempo de espera deve ser remunerado|o trabalho era prestado na residência por mais de dois dias na semana|o trabalhador permanecia à disposição fora do horário
l art. 224, § 2º, da CLT|Lei Complementar 150/2015|Lei 13.103/2015|art. 429 da CLT|Súmula 428 do TST|art. 75-B da CLT
`;
